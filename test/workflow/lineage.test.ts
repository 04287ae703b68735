import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Lineage } from "../../src/workflow/lineage.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-lineage-"));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = (): string => join(dir, "lineage.json");
const open = (notices: string[] = []): Lineage =>
  Lineage.open(dir, dir, { lang: "zh", onNotice: (text) => notices.push(text) });

test("a session is on disk the moment it is remembered, with the directory's language", () => {
  open().remember("work", "s-1");
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
    workspace: dir,
    steps: { work: "s-1" },
    woke: 0,
    lang: "zh",
  });
});

test("a directory keeps its language when the next process speaks another", () => {
  open().remember("work", "s-1");
  expect(Lineage.open(dir, dir, { lang: "en" }).lang).toBe("zh");
});

test("two processes do not lose each other's steps", () => {
  const [one, other] = [open(), open()];
  one.remember("clarify", "s-1");
  other.remember("work", "s-2");
  one.bump();
  expect(open()).toMatchObject({ steps: { clarify: "s-1", work: "s-2" }, woke: 1 });
});

test("opening writes nothing", () => {
  open();
  expect(readdirSync(dir)).toEqual([]);
});

test("what the Python original left is understood", () => {
  writeFileSync(file(), JSON.stringify({ workspace: dir, steps: { 干活: "s-9" }, woke: 4 }));
  expect(open()).toMatchObject({ steps: { 干活: "s-9" }, woke: 4, lang: "zh" });
});

test("a corrupt file counts as empty, is kept beside, and is told once", () => {
  const notices: string[] = [];
  writeFileSync(file(), '{"steps": {"work"');
  const lineage = open(notices);
  expect(lineage.steps).toEqual({});
  expect(notices).toEqual([]);
  lineage.remember("work", "s-1");
  lineage.bump();
  const kept = readdirSync(dir).filter((name) => name.startsWith("lineage.json.corrupt-"));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(dir, kept[0] ?? ""), "utf8")).toBe('{"steps": {"work"');
  expect(notices).toEqual([expect.stringContaining(kept[0] ?? "")]);
  expect(open().steps).toEqual({ work: "s-1" });
});

test("a file of another workspace counts as empty and is not overwritten", () => {
  const elsewhere = join(dir, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(file(), JSON.stringify({ workspace: elsewhere, steps: { work: "s-9" }, woke: 2 }));
  const mine = join(dir, "mine");
  mkdirSync(mine);
  Lineage.open(dir, mine).remember("work", "s-1");
  expect(Lineage.open(dir, mine).steps).toEqual({ work: "s-1" });
  const kept = readdirSync(dir).find((name) => name.startsWith("lineage.json.corrupt-"));
  expect(readFileSync(join(dir, kept ?? ""), "utf8")).toContain("s-9");
});

test("a file goes along with a workspace that was moved, and with the directory around it", () => {
  writeFileSync(file(), JSON.stringify({ workspace: join(dir, "gone"), steps: { work: "s-9" }, woke: 2 }));
  open().remember("goal", "s-1");
  expect(open().steps).toEqual({ work: "s-9", goal: "s-1" });
  const copy = join(dir, "copy");
  mkdirSync(join(copy, "runs"), { recursive: true });
  writeFileSync(
    join(copy, "runs", "lineage.json"),
    JSON.stringify({ workspace: dir, steps: { work: "s-9" } }),
  );
  const copied = Lineage.open(join(copy, "runs"), copy);
  copied.bump();
  expect(Lineage.open(join(copy, "runs"), copy)).toMatchObject({ steps: { work: "s-9" }, woke: 1 });
  expect(readFileSync(copied.path, "utf8")).toContain(JSON.stringify(copy));
});

test("a directory is the same by each of its names", () => {
  const [real, link] = [join(dir, "real"), join(dir, "link")];
  mkdirSync(real);
  symlinkSync(real, link);
  Lineage.open(dir, link).remember("work", "s-1");
  expect(Lineage.open(dir, real).steps).toEqual({ work: "s-1" });
  Lineage.open(dir, real).remember("goal", "s-2");
  expect(Lineage.open(dir, link).steps).toEqual({ work: "s-1", goal: "s-2" });
});

test("what the human said is kept with the session that was told, each sentence once", () => {
  expect(open().asks).toBeUndefined();
  open().remember("clarify", "s-1", ["  a till\r\n  in blue "]);
  open().remember("clarify", "s-1", ["a till\nin blue"]);
  open().remember("work", "s-2", ["", "in red"]);
  expect(open()).toMatchObject({
    asks: ["a till\nin blue", "in red"],
    steps: { clarify: "s-1", work: "s-2" },
  });
});

test("asks that are no list of sentences cost no session", () => {
  writeFileSync(file(), JSON.stringify({ workspace: dir, steps: { work: "s-1" }, asks: [1] }));
  expect(open()).toMatchObject({ steps: { work: "s-1" }, asks: undefined });
});

test("archiving moves the lineage and what belongs to it, and begins anew", () => {
  const brief = join(dir, "brief.md");
  writeFileSync(brief, "# Brief");
  const lineage = open();
  lineage.remember("work", "s-1");
  mkdirSync(join(dir, "archive"));
  const target = lineage.archive(join(dir, "archive"), { extra: [brief, join(dir, "absent.md")] });
  expect(readdirSync(target ?? "").sort()).toEqual(["brief.md", "lineage.json"]);
  expect(existsSync(brief)).toBe(false);
  expect(lineage.steps).toEqual({});
  expect(open().archive(join(dir, "archive"))).toBeUndefined();
});

test("an archive that is cut short leaves the lineage beside the documents, and the next one takes the rest", () => {
  const [goal, brief] = [join(dir, "goal.md"), join(dir, "brief.md")];
  for (const path of [goal, brief]) writeFileSync(path, "x");
  const lineage = open();
  lineage.remember("work", "s-1");
  writeFileSync(join(dir, "archive"), "in the way");
  expect(() => lineage.archive(join(dir, "archive"), { extra: [brief, goal] })).toThrow(
    expect.objectContaining({ name: "FlowerError" }),
  );
  expect(lineage.steps).toEqual({ work: "s-1" });
  expect([brief, goal, file()].map((path) => existsSync(path))).toEqual([true, true, true]);
  rmSync(join(dir, "archive"));
  const target = lineage.archive(join(dir, "archive"), { extra: [brief, goal, brief] });
  expect(readdirSync(target ?? "").sort()).toEqual(["brief.md", "goal.md", "lineage.json"]);
});
