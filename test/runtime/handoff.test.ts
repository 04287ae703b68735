import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Event, EventOf } from "../../src/events/event.ts";
import type { ModelRequest, ScriptStep } from "../../src/testing/index.ts";
import { overloaded, promptTooLong, reply, toolCall, unauthorized } from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const DOCUMENT = `## Doing now
Counting to three.

## Decided
Upwards, because that was asked.

## Dead ends
(empty)

## Next step
Say three.

## Scene
Nothing is running.
`;

/** Room for one session of 60,000 tokens: a handoff is due at 10,000 and announced at 1,000. */
const handoff = { window: 60_000, headroom: 50_000 };
const full = { usage: { input: 12_000 } };
const empty = { usage: { input: 500 } };

const asksForDocument = (request: ModelRequest): boolean =>
  request.prompt.startsWith("Your context is nearly full");
const look = (): ScriptStep => toolCall("Bash", { command: "echo hi" }, full);

function handoffEvents(): readonly EventOf<"handoff">["payload"][] {
  return world.events.flatMap((event) => (event.kind === "handoff" ? [event.payload] : []));
}

test("a full session writes a document, and a fresh one takes over", async () => {
  const model = await world.play((request) => {
    if (asksForDocument(request)) return reply({ text: DOCUMENT, ...full });
    if (request.prompt.includes("Say three.")) return reply({ text: "three", ...empty });
    return look();
  });
  const workbench = new Workbench(world.workspace, { lang: "en" });
  const runtime = world.runtime({ handoff, workbench });
  const result = await runtime.run(specOf(), "count", {
    stepName: "count",
    onEvent: (event) => world.events.push(event),
  });
  expect(result).toMatchObject({ ok: true, attempts: 1, context: 500 });
  expect(result.retired).toHaveLength(1);
  expect(result.sessionId).not.toBe(result.retired[0]);
  const path = join(workbench.notes, "handoff-count.md");
  expect(readFileSync(path, "utf8")).toContain("Say three.");
  expect(handoffEvents().map(({ phase }) => phase)).toEqual(["near", "writing", "done"]);
  expect(handoffEvents().at(-1)).toMatchObject({ degraded: false, path, window: 60_000, context: 12_000 });
  // The turn that writes the document is not shown.
  expect(world.events.some(({ kind, text }) => kind === "text" && text.includes("Counting to three"))).toBe(
    false,
  );
  const successor = model.calls.at(-1)?.request;
  expect(successor?.messages.filter(({ role }) => role === "assistant")).toEqual([]);
});

test("the document before it is kept in the archive", async () => {
  await world.play((request) => {
    if (asksForDocument(request)) return reply({ text: DOCUMENT, ...full });
    return request.prompt.includes("Say three.") ? reply({ text: "three", ...empty }) : look();
  });
  const workbench = new Workbench(world.workspace, { lang: "en" });
  const runtime = world.runtime({ handoff, workbench });
  await runtime.run(specOf(), "count", { stepName: "count" });
  await runtime.run(specOf(), "count", { stepName: "count" });
  expect(readdirSync(join(workbench.notes, "archive", "handoff"))).toEqual([
    expect.stringMatching(/^count-\d{8}-\d{6}\.md$/),
  ]);
});

test("a session that has overflowed is replaced by means of a makeshift document", async () => {
  const task = "count very carefully";
  await world.play((request) => {
    if (request.kind === "compaction") return promptTooLong({ tokens: 61_000, max: 60_000 });
    if (request.firstPrompt.includes("[degraded")) return reply({ text: "three", ...empty });
    return promptTooLong({ tokens: 61_000, max: 60_000 });
  });
  const workbench = new Workbench(world.workspace, { lang: "en" });
  const result = await world.runtime({ handoff, workbench }).run(specOf(), task, {
    stepName: "count",
    onEvent: (event) => world.events.push(event),
  });
  expect(result).toMatchObject({ ok: true, text: "three" });
  expect(handoffEvents().at(-1)).toMatchObject({ phase: "done", degraded: true });
  expect(readFileSync(join(workbench.notes, "handoff-count.md"), "utf8")).toContain(task);
});

test("a lost connection while the document is written costs a retry, not the document", async () => {
  let asked = 0;
  await world.play((request) => {
    if (!asksForDocument(request))
      return request.prompt.includes("Say three.") ? reply({ text: "three", ...empty }) : look();
    asked += 1;
    return asked <= 2 ? overloaded() : reply({ text: DOCUMENT, ...full });
  });
  const result = await world
    .runtime({ handoff, gateway: false })
    .run(specOf({ maxBudgetUsd: 0.04 }), "count", {
      onEvent: (event) => world.events.push(event),
    });
  // The budget of the step is spent by its first call; the turn that writes the document is exempt from it.
  expect(handoffEvents().at(-1)).toMatchObject({ phase: "done", degraded: false });
  expect(result).toMatchObject({ ok: true, text: "three", attempts: 1 });
});

test("a document that the API refuses is made without its words, which are told to people", async () => {
  const model = await world.play((request) => {
    if (asksForDocument(request)) return unauthorized();
    return request.firstPrompt.includes("[degraded") ? reply({ text: "three", ...empty }) : look();
  });
  const runtime = world.runtime({ handoff, gateway: false, resilience: { enabled: false } });
  const onEvent = (event: Event): void => void world.events.push(event);
  expect(await runtime.run(specOf(), "count", { onEvent })).toMatchObject({ ok: true, text: "three" });
  expect(handoffEvents().at(-1)).toMatchObject({ phase: "done", degraded: true });
  const told = JSON.stringify(model.calls.at(-1)?.request?.messages);
  expect(told).toContain("gave no answer");
  expect(told).not.toMatch(/API|401|Invalid/);
});

test("an outage that outlasts the policy keeps the full session, which writes its document when it goes on", async () => {
  let isAway = true;
  await world.play((request) => {
    if (!asksForDocument(request))
      return request.prompt.includes("Say three.") ? reply({ text: "three", ...empty }) : look();
    return isAway ? overloaded() : reply({ text: DOCUMENT, ...full });
  });
  const resilience = { baseDelayMs: 1, maxDelayMs: 1, maxOfflineWaitMs: 300 };
  const runtime = world.runtime({ handoff, resilience });
  const onEvent = (event: Event): void => void world.events.push(event);
  const stopped = await runtime.run(specOf(), "count", { onEvent });
  expect(stopped).toMatchObject({ ok: false, retired: [], error: expect.stringContaining("529") });
  expect(handoffEvents().map(({ phase }) => phase)).toEqual(["near", "writing"]);
  expect(
    world.events.filter(({ kind, payload }) => kind === "retry" && payload.phase === "gave_up"),
  ).toHaveLength(1);
  isAway = false;
  const result = await runtime.run(specOf(), "go on", { resume: stopped.sessionId ?? "", onEvent });
  expect(result).toMatchObject({ ok: true, text: "three", retired: [stopped.sessionId] });
  expect(handoffEvents().at(-1)).toMatchObject({ phase: "done", degraded: false });
});

test("a successor that cannot start is given the document again, not the full session", async () => {
  let broken = 0;
  const model = await world.play((request) => {
    if (asksForDocument(request)) return reply({ text: DOCUMENT, ...full });
    if (!request.firstPrompt.includes("Say three.")) return look();
    broken += 1;
    return broken <= 2 ? overloaded() : reply({ text: "three", ...empty });
  });
  const result = await world.runtime({ handoff, gateway: false }).run(specOf(), "count");
  expect(result).toMatchObject({ ok: true, text: "three" });
  expect(new Set([...result.retired, result.sessionId]).size).toBe(2);
  expect(model.calls.at(-1)?.request?.firstPrompt).toContain("Say three.");
});

test("near is told once a generation, also when a failure comes in between", async () => {
  const near = { usage: { input: 9_000 } };
  let calls = 0;
  await world.play(() => {
    calls += 1;
    if (calls === 2 || calls === 3) return overloaded();
    return calls < 5 ? toolCall("Bash", { command: "echo hi" }, near) : reply({ text: "done", ...near });
  });
  await world
    .runtime({ handoff, gateway: false })
    .run(specOf(), "count", { onEvent: (event) => world.events.push(event) });
  expect(handoffEvents().map(({ phase }) => phase)).toEqual(["near"]);
});

test("two makeshift documents in a row stop the step and say why", async () => {
  await world.play(() => promptTooLong({ tokens: 61_000, max: 60_000 }));
  const result = await world.runtime({ handoff }).run(specOf(), "count");
  expect(result.ok).toBe(false);
  expect(result.error).toContain("two handoff documents in a row");
  expect(result.retired).toHaveLength(1);
});

test("a task that never fits stops with a diagnosis", async () => {
  await world.play((request) => (asksForDocument(request) ? reply({ text: DOCUMENT, ...full }) : look()));
  const result = await world.runtime({ handoff: { ...handoff, maxGenerations: 1 } }).run(specOf(), "count");
  expect(result.ok).toBe(false);
  expect(result.error).toMatch(/1 handoff.*10000 of 60000.*12000/s);
  expect(result.retired).toHaveLength(1);
});

test("without handoff a full context is left alone", async () => {
  await world.play((request) =>
    request.toolResults.length === 0 ? look() : reply({ text: "done", ...full }),
  );
  const result = await world.runtime({ handoff: false }).run(specOf(), "count");
  expect(result).toMatchObject({ ok: true, retired: [] });
  expect(existsSync(join(world.workspace, ".flower"))).toBe(false);
});
