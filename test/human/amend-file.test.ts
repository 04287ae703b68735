import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { makeWorld } from "./world.ts";

const BRIEF = "## Goal\n\nA clock\n\n## Boundaries\n\n- no network\n- one file\n";

function withBrief(text: string) {
  const world = makeWorld();
  mkdirSync(dirname(world.amendPath), { recursive: true });
  writeFileSync(world.amendPath, text);
  return world;
}

describe("words that a human adds to the brief", () => {
  test("are appended at once, with their occasion and time, and nothing before them changes", () => {
    const { channel, amendPath, read } = withBrief(BRIEF);
    expect(channel.amend("use port 8080\n# and no heading", { label: "added on wake" })).toBe(true);
    const written = read(amendPath);
    expect(written.startsWith(BRIEF)).toBe(true);
    expect(written.slice(BRIEF.length)).toMatch(
      /^\n## added on wake · \d{4}-\d\d-\d\d \d\d:\d\d\n\n> use port 8080\n> # and no heading\n$/,
    );
  });

  test("carry the label of the run when there is none, in the channel's language", () => {
    const english = withBrief(BRIEF);
    english.channel.send("x");
    expect(english.read(english.amendPath)).toContain("\n## added during the run · ");
    const chinese = makeWorld({ lang: "zh" });
    chinese.channel.send("x");
    expect(chinese.read(chinese.amendPath)).toMatch(/^## 运行中补充 · /);
  });

  test.each([
    ["a paragraph", "A clock"],
    ["a list item", "no network"],
    ["several list items", "- no network\n- one file"],
  ])("that stand there already as %s are not written", (_, text) => {
    const { channel, amendPath, read } = withBrief(BRIEF);
    expect(channel.amend(text)).toBe(false);
    expect(read(amendPath)).toBe(BRIEF);
  });

  test("are not written twice, however often and in whatever line endings they are said", () => {
    const { channel, amendPath, read } = withBrief(BRIEF);
    expect(channel.amend("first\n\nsecond")).toBe(true);
    expect(channel.amend("third")).toBe(true);
    const once = read(amendPath);
    expect(channel.amend(" first\r\n\r\nsecond\n", { label: "added on wake" })).toBe(false);
    expect(read(amendPath)).toBe(once);
  });

  test.each(["> quoted", "- x\n> y", "1. > - nested"])("are not written twice when they read %j", (text) => {
    const { channel, amendPath, read } = withBrief(BRIEF);
    expect([channel.amend(text), channel.amend(text)]).toEqual([true, false]);
    expect(read(amendPath).match(/^## added/gm)).toHaveLength(1);
  });

  test("are written when only a part of a line says the same", () => {
    const { channel, amendPath, read } = withBrief(BRIEF);
    expect(channel.amend("clock")).toBe(true);
    expect(channel.amend("first\nsecond")).toBe(true);
    expect(channel.amend("first\nthird")).toBe(true);
    expect(read(amendPath).match(/^> first$/gm)).toHaveLength(2);
  });

  test("get a line of their own in a file that does not end with one", () => {
    const { channel, amendPath, read } = withBrief("## Goal\n\nA clock");
    channel.amend("x");
    expect(read(amendPath)).toMatch(/A clock\n\n## added during the run · .*\n\n> x\n$/);
  });

  test("are read back as amendments by the brief", () => {
    const { channel, amendPath, read } = withBrief(BRIEF);
    channel.send("use port 8080");
    channel.amend("and\nmore", { label: "added on wake" });
    const brief = Brief.parse(read(amendPath));
    expect(brief.amendments.map(({ label, text }) => [label, text])).toEqual([
      ["added during the run", "use port 8080"],
      ["added on wake", "and\nmore"],
    ]);
  });

  test("go nowhere without a path, and the mail is queued all the same", () => {
    const { channel } = makeWorld({ amendPath: undefined });
    expect(channel.amend("x")).toBe(false);
    expect(channel.send("x")?.state).toBe("queued");
  });
});
