import { mkdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ask } from "../../src/human/ask.ts";
import { HumanChannel } from "../../src/human/human-channel.ts";
import { makeWorld, manualClock, settled } from "./world.ts";

function onlyPending(channel: HumanChannel): Ask {
  const [ask] = channel.pending();
  if (ask === undefined) throw new Error("nothing is open");
  return ask;
}

describe("a question", () => {
  test("waits for its answer and tells both states", async () => {
    const { channel, clock, events, states } = makeWorld();
    const asking = channel.ask(" Which one? ", ["red", " blue "]);
    expect(onlyPending(channel)).toMatchObject({
      question: "Which one?",
      options: ["red", "blue"],
      state: "asked",
    });
    await clock.advance(2_500);
    expect(channel.answer(onlyPending(channel).id, " the green one ")).toBe(true);
    const ask = await asking;
    expect(ask).toMatchObject({ id: "q1-r1", state: "answered", answer: "the green one", waitedS: 2.5 });
    expect(states()).toEqual(["question asked", "question answered"]);
    expect(events.map(({ text }) => text)).toEqual(["Which one?", "Which one?"]);
    expect(events[1]?.payload).toEqual({
      kind: "question",
      id: "q1-r1",
      state: "answered",
      options: ["red", "blue"],
      answer: "the green one",
      waited_s: 2.5,
    });
    expect(channel.asks).toEqual([ask]);
    expect(channel.pending()).toEqual([]);
  });

  test("is over once: later answers, refusals and the clock change nothing", async () => {
    const { channel, clock, states } = makeWorld();
    const asking = channel.ask("?");
    const { id } = onlyPending(channel);
    channel.answer(id, "yes");
    expect([channel.answer(id, "no"), channel.decline(id), channel.answer("unknown", "x")]).toEqual([
      false,
      false,
      false,
    ]);
    await clock.advance(10_000_000);
    channel.close();
    expect(await asking).toMatchObject({ state: "answered", answer: "yes" });
    expect(states()).toEqual(["question asked", "question answered"]);
  });

  test("answered in the very moment its time is up has one ending", async () => {
    const { channel, clock, states } = makeWorld({ timeoutMs: 1_000 });
    const asking = channel.ask("?");
    const moved = clock.advance(1_000);
    expect(channel.answer(onlyPending(channel).id, "just in time")).toBe(true);
    await moved;
    expect((await asking).state).toBe("answered");
    expect(states()).toEqual(["question asked", "question answered"]);
  });

  test("that times out leaves no answer and no timer", async () => {
    const { channel, clock } = makeWorld({ timeoutMs: 5_000 });
    const asking = channel.ask("?");
    await clock.advance(4_999);
    expect(channel.pending()).toHaveLength(1);
    await clock.advance(1);
    expect(await asking).toMatchObject({ state: "timeout", answer: null, waitedS: 5 });
    expect(clock.sleepers()).toBe(0);
  });

  test("waits half an hour when nothing is said about time", async () => {
    const { channel, clock } = makeWorld();
    const asking = channel.ask("?");
    await clock.advance(1_800_000);
    expect(await asking).toMatchObject({ state: "timeout", waitedS: 1_800 });
  });

  test.each([0, -1])(
    "with a timeout of %d ms is not waited for at all, and still told twice",
    async (timeoutMs) => {
      const { channel, states, clock } = makeWorld({ timeoutMs });
      expect(await channel.ask("?")).toMatchObject({ state: "timeout", waitedS: 0 });
      expect(states()).toEqual(["question asked", "question timeout"]);
      expect(clock.sleepers()).toBe(0);
    },
  );

  test("without a timeout waits for ever, on no timer", async () => {
    const { channel, clock } = makeWorld({ timeoutMs: null });
    const asking = channel.ask("?");
    await settled();
    expect(clock.sleepers()).toBe(0);
    channel.answer(onlyPending(channel).id, "at last");
    expect((await asking).state).toBe("answered");
  });

  test("may wait longer than a timer of the machine can", async () => {
    const days = 60 * 86_400_000;
    const { channel, clock } = makeWorld({ timeoutMs: days });
    const asking = channel.ask("?");
    await clock.advance(days - 1);
    expect(channel.pending()).toHaveLength(1);
    await clock.advance(1);
    expect((await asking).state).toBe("timeout");
  });

  test("declined, or answered with nothing, is declined", async () => {
    const { channel, clock } = makeWorld();
    const [one, two] = [channel.ask("1?"), channel.ask("2?", ["a"])];
    const [first, second] = channel.pending();
    expect(channel.decline(first?.id ?? "")).toBe(true);
    expect(channel.answer(second?.id ?? "", " \n")).toBe(true);
    expect([(await one).state, (await two).state]).toEqual(["declined", "declined"]);
    expect((await two).answer).toBeNull();
    await settled();
    expect(clock.sleepers()).toBe(0);
  });

  test.each(["", "  \n"])("of %j is invalid, reaches nobody and costs nothing", async (question) => {
    const { channel, states } = makeWorld({ maxAsks: 1 });
    expect(await channel.ask(question)).toMatchObject({ state: "invalid", answer: null });
    expect(states()).toEqual(["question asked", "question invalid"]);
    expect(channel.remaining).toBe(1);
  });

  test("may be answered from inside the event that tells it", async () => {
    const channel: HumanChannel = new HumanChannel({
      clock: manualClock(),
      onEvent: (event) => {
        if (event.kind === "ask" && event.payload.state === "asked") channel.answer(event.payload.id, "2");
      },
    });
    expect(await channel.ask("?", ["a", "b"])).toMatchObject({ state: "answered", answer: "b" });
    expect(channel.pending()).toEqual([]);
  });

  test("is data: JSON of it holds no functions, and it cannot be changed", async () => {
    const { channel } = makeWorld({ timeoutMs: 0 });
    const ask = await channel.ask("?");
    expect(Object.isFrozen(ask)).toBe(true);
    expect(Object.keys(JSON.parse(JSON.stringify(ask)))).toEqual([
      "id",
      "question",
      "options",
      "askedAt",
      "state",
      "answer",
      "waitedS",
    ]);
    expect(String(ask.event())).toBe("[ask] ?");
  });
});

describe("whoever asked goes away", () => {
  test("then the question ends as timeout, is rejected with the reason, and is not counted", async () => {
    const { channel, clock, states } = makeWorld({ maxAsks: 2 });
    const controller = new AbortController();
    const asking = channel.ask("?", [], { signal: controller.signal });
    expect(channel.remaining).toBe(1);
    const reason = new Error("gone");
    controller.abort(reason);
    await expect(asking).rejects.toBe(reason);
    expect(states()).toEqual(["question asked", "question timeout"]);
    expect([channel.remaining, channel.pending().length, clock.sleepers()]).toEqual([2, 0, 0]);
  });

  test("before it asked: nothing is recorded", async () => {
    const { channel, events } = makeWorld();
    await expect(channel.ask("?", [], { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow(
      "gone",
    );
    expect(events).toEqual([]);
    expect(channel.asks).toEqual([]);
  });

  test("after the ending: nothing happens", async () => {
    const { channel, states } = makeWorld({ maxAsks: 2 });
    const controller = new AbortController();
    const asking = channel.ask("?", [], { signal: controller.signal });
    channel.decline(onlyPending(channel).id);
    await asking;
    controller.abort();
    expect(states()).toEqual(["question asked", "question declined"]);
    expect(channel.remaining).toBe(1);
  });
});

describe("the number of questions", () => {
  test("is unlimited by default", () => {
    expect(makeWorld().channel.remaining).toBe(-1);
  });

  test("counts down, and beyond it answers come at once", async () => {
    const { channel, states } = makeWorld({ maxAsks: 1 });
    const asking = channel.ask("1?");
    expect(channel.remaining).toBe(0);
    expect(await channel.ask("2?")).toMatchObject({ state: "over_budget", answer: null });
    channel.answer(onlyPending(channel).id, "x");
    await asking;
    expect(states()).toEqual([
      "question asked",
      "question asked",
      "question over_budget",
      "question answered",
    ]);
    expect(channel.remaining).toBe(0);
  });

  test("of zero is none", async () => {
    const { channel } = makeWorld({ maxAsks: 0 });
    expect(channel.remaining).toBe(0);
    expect((await channel.ask("?")).state).toBe("over_budget");
  });
});

describe("nextAsk", () => {
  test("hands out each question once, in order, whether it came before or after", async () => {
    const { channel } = makeWorld();
    const asking = [channel.ask("1?"), channel.ask("2?")];
    expect((await channel.nextAsk())?.question).toBe("1?");
    expect((await channel.nextAsk())?.question).toBe("2?");
    const next = channel.nextAsk();
    asking.push(channel.ask("3?"));
    expect((await next)?.question).toBe("3?");
    expect(channel.pending()).toHaveLength(3);
    channel.close();
    await Promise.all(asking);
  });

  test("passes over questions that have ended", async () => {
    const { channel } = makeWorld();
    const first = channel.ask("1?");
    channel.decline(onlyPending(channel).id);
    await first;
    const second = channel.ask("2?");
    expect((await channel.nextAsk())?.question).toBe("2?");
    channel.close();
    await second;
  });

  test("rejects when its signal aborts, and takes no question with it", async () => {
    const { channel } = makeWorld();
    const controller = new AbortController();
    const next = channel.nextAsk({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    const asking = channel.ask("?");
    expect((await channel.nextAsk())?.question).toBe("?");
    channel.close();
    await asking;
  });

  test("is undefined when the channel closes", async () => {
    const { channel } = makeWorld();
    const next = channel.nextAsk();
    channel.close();
    expect(await next).toBeUndefined();
    expect(await channel.nextAsk()).toBeUndefined();
  });
});

describe("close", () => {
  test("ends every open question as timeout, and every later one at once", async () => {
    const { channel, clock } = makeWorld({ timeoutMs: null });
    const asking = [channel.ask("1?"), channel.ask("2?")];
    channel.close();
    channel.close();
    expect((await Promise.all(asking)).map(({ state }) => state)).toEqual(["timeout", "timeout"]);
    expect((await channel.ask("3?")).state).toBe("timeout");
    expect(clock.sleepers()).toBe(0);
  });
});

describe("mail", () => {
  test("is queued, then delivered, and told both times", () => {
    const { channel, clock, events, states } = makeWorld();
    const mail = channel.send("  use port 8080 ");
    expect(mail).toMatchObject({ text: "use port 8080", state: "queued" });
    expect(channel.pendingMail()).toEqual([mail]);
    const claim = channel.claimMail();
    expect(claim.mail).toEqual([mail]);
    void clock.advance(3_000);
    claim.confirm();
    expect(states()).toEqual(["mail queued", "mail delivered"]);
    expect(events[1]?.payload).toEqual({
      kind: "mail",
      id: mail?.id,
      state: "delivered",
      options: [],
      answer: null,
      waited_s: 3,
    });
    expect(events.map(({ text }) => text)).toEqual(["use port 8080", "use port 8080"]);
    expect(channel.pendingMail()).toEqual([]);
    expect(channel.mail).toMatchObject([{ state: "delivered" }]);
  });

  test("that somebody is delivering cannot be delivered by anybody else", () => {
    const { channel, states } = makeWorld();
    channel.send("a");
    const claim = channel.claimMail();
    channel.send("b");
    expect(channel.pendingMail().map(({ text }) => text)).toEqual(["b"]);
    expect(channel.claimMail().mail.map(({ text }) => text)).toEqual(["b"]);
    claim.giveBack();
    claim.confirm();
    expect(channel.pendingMail().map(({ text }) => text)).toEqual(["a"]);
    expect(states()).toEqual(["mail queued", "mail queued"]);
  });

  test("is delivered once and only once, whatever is claimed, confirmed and given back", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("send" as const) }),
      fc.record({ kind: fc.constant("claim" as const) }),
      fc.record({ kind: fc.constantFrom("confirm" as const, "giveBack" as const), which: fc.nat(5) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const delivered: string[] = [];
        const channel = new HumanChannel({
          clock: manualClock(),
          onEvent: ({ kind, payload }) => {
            if (kind === "ask" && "state" in payload && payload.state === "delivered")
              delivered.push(payload.id);
          },
        });
        const claims = [channel.claimMail()];
        for (const one of steps) {
          if (one.kind === "send") channel.send("x");
          else if (one.kind === "claim") claims.push(channel.claimMail());
          else claims[one.which % claims.length]?.[one.kind]();
        }
        for (const claim of claims) claim.giveBack();
        channel.claimMail().confirm();
        expect(delivered.toSorted()).toEqual(channel.mail.map(({ id }) => id).toSorted());
      }),
    );
  });

  test("with nothing in it is nothing", () => {
    const { channel, events, read, amendPath } = makeWorld();
    expect(channel.send(" \n ")).toBeUndefined();
    expect([events.length, channel.mail.length, read(amendPath)]).toEqual([0, 0, ""]);
  });
});

describe("what goes wrong beside the conversation", () => {
  test("is collected and never hurts it", async () => {
    const { channel, logPath, amendPath } = makeWorld({
      onEvent: () => {
        throw new Error("ui broke");
      },
    });
    mkdirSync(logPath, { recursive: true });
    mkdirSync(amendPath, { recursive: true });
    const asking = channel.ask("?");
    channel.answer(onlyPending(channel).id, "x");
    expect((await asking).state).toBe("answered");
    expect(channel.send("y")).toMatchObject({ state: "queued" });
    const texts = channel.uiErrors.map(String);
    expect(texts.filter((text) => text.includes("ui broke"))).toHaveLength(3);
    expect(texts.filter((text) => text.includes("EISDIR"))).toHaveLength(4);
    expect(() => channel.amend("z")).toThrow();
  });

  test("keeps no more than a hundred errors", async () => {
    const { channel } = makeWorld({
      timeoutMs: 0,
      onEvent: () => {
        throw new Error("ui broke");
      },
    });
    for (let n = 0; n < 60; n += 1) await channel.ask("?");
    expect(channel.uiErrors).toHaveLength(100);
  });

  test("onEvent may be set later", async () => {
    const channel = new HumanChannel({ timeoutMs: 0, clock: manualClock() });
    await channel.ask("1?");
    const seen: string[] = [];
    channel.onEvent = ({ text }) => seen.push(text);
    await channel.ask("2?");
    expect(seen).toEqual(["2?", "2?"]);
  });
});

describe("whoever delivers mail in another way than the inbox", () => {
  test("is told of each piece when it can be claimed, until they stop; a failure of theirs is collected", () => {
    const channel = new HumanChannel();
    const seen: string[][] = [];
    const stop = channel.onMail(() => {
      seen.push(channel.pendingMail().map(({ text }) => text));
      throw new Error("no way through");
    });
    channel.send("one");
    stop();
    channel.send("two");
    expect(seen).toEqual([["one"]]);
    expect(channel.uiErrors).toEqual([new Error("no way through")]);
    expect(channel.pendingMail()).toHaveLength(2);
  });
});
