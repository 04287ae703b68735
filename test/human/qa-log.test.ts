import { appendFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stamp } from "../../src/base/ids.ts";
import { createAsk } from "../../src/human/ask.ts";
import { askEntry } from "../../src/human/qa-log.ts";
import { makeWorld, START } from "./world.ts";

function at(epochMs: number): string {
  return stamp(epochMs).replace(/^(....)(..)(..)-(..)(..)(..)$/, "$1-$2-$3 $4:$5:$6");
}

describe("the log of questions and answers", () => {
  test("grows as things happen and reads like this", async () => {
    const { channel, clock, logPath, read } = makeWorld();
    const asking = channel.ask("Which\nport?", ["80", "8080"]);
    const asked = [
      "# Questions and answers",
      `## Question q1-r1 · ${at(START)}`,
      "> Which\n> port?",
      "> 1. 80",
      "> 2. 8080",
      "",
    ].join("\n\n");
    expect(read(logPath)).toBe(asked);
    await clock.advance(65_000);
    channel.answer("q1-r1", "2");
    await asking;
    channel.send("use tabs");
    const rest = [
      `## Question q1-r1: answered · ${at(START + 65_000)} · after 65 s`,
      "> 8080",
      `## Said without being asked m2-r2 · ${at(START + 65_000)}`,
      "> use tabs",
      "",
    ].join("\n\n");
    expect(read(logPath)).toBe(asked + rest);
    expect(`# Questions and answers\n\n${channel.transcript()}`).toBe(asked + rest);
  });

  test("reads like this in Chinese", async () => {
    const { channel, logPath, read } = makeWorld({ lang: "zh", timeoutMs: 0 });
    await channel.ask("哪个端口?");
    expect(read(logPath)).toBe(
      [
        "# 问答记录",
        `## 提问 q1-r1 · ${at(START)}`,
        "> 哪个端口?",
        `## 提问 q1-r1:无人回答 · ${at(START)} · 用时 0 秒`,
        "",
      ].join("\n\n"),
    );
  });

  test("keeps what an earlier run wrote", async () => {
    const { channel, logPath, read } = makeWorld({ timeoutMs: 0 });
    channel.send("x");
    const before = read(logPath);
    appendFileSync(logPath, "by hand\n");
    await channel.ask("?");
    expect(read(logPath).startsWith(`${before}by hand\n`)).toBe(true);
    expect(read(logPath).match(/^# /gm)).toHaveLength(1);
  });

  test("no text of a model can look like an entry", () => {
    const lineBreak = fc.constantFrom("\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085", "\v", "\f");
    const piece = fc.oneof(
      lineBreak,
      fc.constantFrom("## Question q1: answered", "# ", "> ", "```"),
      fc.string(),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (question, options) => {
        const data = { id: "q1", question, options, askedAt: START, answer: null, waitedS: 0 };
        const entry = askEntry(createAsk({ ...data, state: "asked" }), "en");
        const [heading, ...lines] = entry.split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/);
        expect(heading).toBe(`## Question q1 · ${at(START)}`);
        expect(lines.every((line) => line === "" || line.startsWith(">"))).toBe(true);
      }),
    );
  });

  test("holds no escape sequences that would act on a terminal", async () => {
    const { channel, logPath, read } = makeWorld({ timeoutMs: 0 });
    await channel.ask("red \u001b[31mtext\u001b[0m \u0007bell");
    expect(read(logPath)).toContain("> red text bell");
  });
});
