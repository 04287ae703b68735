import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { columns } from "../../src/base/text.ts";
import { thisOwner } from "../../src/runtime/owner.ts";
import { openSessionArchive } from "../../src/store/session-archive.ts";
import { transcript } from "../store/build.ts";
import { type SessionDirectory, sessionDirectory } from "../support/session-directory.ts";

const [WORK, JUDGE, LONE] = [
  "aaaaaaaa-0000-4000-8000-000000000001",
  "aaaaaaaa-0000-4000-8000-000000000002",
  "bbbbbbbb-0000-4000-8000-000000000003",
] as const;
const DAY = 86_400_000;

let place: SessionDirectory;

beforeEach(() => {
  place = sessionDirectory();
});

afterEach(() => place.remove());

const talk = () => {
  const made = transcript();
  made.prompt("please");
  made.says("\u001b[31mdone");
  return made.entries;
};

/** Three sessions, of which two are in the books and one is the lineage's. */
async function seeded(): Promise<void> {
  const now = Date.now();
  await place.seed([
    { id: LONE, entries: talk(), at: now - 20 * DAY },
    { id: WORK, entries: talk(), agents: { a1: talk() }, at: now - 10 * DAY },
    { id: JUDGE, entries: talk(), at: now - 5 * DAY },
  ]);
  place.write("lineage.json", { workspace: place.workspace, steps: { work: WORK }, woke: 1, lang: "en" });
  const row = { step: "work", session_id: WORK, cost_usd: 0.25, num_turns: 7 };
  place.write("manifest.json", [
    row,
    { ...row, step: "work#round2" },
    { ...row, step: "工作·verdict#1", session_id: JUDGE, cost_usd: 1 },
    "of another version",
  ]);
}

const storedIds = (): readonly string[] => {
  const archive = openSessionArchive(join(place.runDir, "sessions.db"), { lang: "en" });
  const ids = archive?.sessions().map(({ sessionId }) => sessionId) ?? [];
  archive?.close();
  return ids;
};

const flight = (sessionId: string | null, process: string) => ({
  owner: { ...thisOwner(), process },
  step: "work",
  sessionId,
  booked: false,
  costUsd: 1,
  numTurns: 1,
});

describe("list", () => {
  test("has a line for each session, with what the books know", async () => {
    await seeded();
    const { code, out } = await place.run(["sessions"]);
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(code).toBe(0);
    expect(rows[0]).toEqual(["session", "step", "last active", "turns", "context", "USD", "size"]);
    // The first two are alike up to their last character.
    const length = WORK.length;
    expect(
      rows.slice(1).map(([id, step, , turns, context, cost]) => [id, step, turns, context, cost]),
    ).toEqual([
      [JUDGE.slice(0, length), "工作·verdict#1", "7", "-", "$1.0000"],
      [WORK.slice(0, length), "work", "14", "-", "$0.5000"],
      [LONE.slice(0, length), "-", "1", "-", "-"],
    ]);
    expect((await place.run(["sessions", "list"])).out).toBe(out);
  });

  test.each([40, 80, 200])("breaks no line at %i columns, in either language", async (width) => {
    await seeded();
    for (const lang of ["en", "zh"] as const) {
      place.write("lineage.json", { workspace: place.workspace, steps: { work: WORK }, lang });
      for (const flags of [[], ["-v"]]) {
        const { out } = await place.run(["sessions", ...flags], { lang, columns: width, isTTY: true });
        const lines = out.trimEnd().split("\n");
        expect(lines).toHaveLength(4);
        for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test("where there is nothing says so and makes nothing", async () => {
    const nothing = { code: 0, out: `. no sessions in ${place.runDir}\n`, err: "" };
    expect(await place.run(["sessions"])).toEqual(nothing);
    expect((await place.run(["sessions"], { lang: "zh" })).out).toBe(`. ${place.runDir} 里没有会话\n`);
    expect(await place.run(["sessions", "gc", "--older-than", "1d"])).toEqual(nothing);
    for (const args of [
      ["show", "abcdef"],
      ["export", "abcdef"],
      ["rm", "abcdef"],
    ]) {
      const { code, err } = await place.run(["sessions", ...args]);
      expect(code).toBe(1);
      expect(err).toMatch(/^x there are no sessions in .*--workspace/);
    }
    expect(existsSync(place.runDir)).toBe(false);
    mkdirSync(place.runDir);
    await place.run(["sessions"]);
    expect(readdirSync(place.runDir)).toEqual([]);
  });
});

describe("an id", () => {
  test.each([
    [["show", "aaaaaa"], 'x "aaaaaa" is the beginning of 2 sessions. Candidates: '],
    [["show", "aaaa"], 'x "aaaa" is too short: give at least 6 characters of the id. Candidates: '],
    [["rm", "cccccc"], `is or begins with "cccccc". Candidates: ${JUDGE}, ${WORK}, ${LONE}\n`],
    [["export", "aaaaaaaa"], `Candidates: ${JUDGE}, ${WORK}\n`],
  ])("of %j is an error that names candidates", async (args, text) => {
    await seeded();
    const { code, out, err } = await place.run(["sessions", ...args]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(text);
    expect(err.trimEnd()).not.toContain("\n");
  });

  test("for once --resume and --at is written out, or refused before anything is made", async () => {
    await seeded();
    const before = readdirSync(place.runDir);
    const unknown = await place.run(["once", "--resume", "dddddd", "hi"]);
    expect(unknown.err).toContain('begins with "dddddd". Candidates: ');
    const nowhere = await place.run(["once", "--resume", "bbbbbb", "--at", "u12345", "hi"]);
    expect(nowhere.err).toBe(
      `x no message of session ${LONE} is or begins with "u12345". Candidates: u1, u0\n`,
    );
    const lonely = await place.run(["once", "--at", "u1", "hi"]);
    expect(lonely).toMatchObject({ code: 2, out: "" });
    expect(lonely.err).toContain("--resume");
    expect(readdirSync(place.runDir)).toEqual(before);
  });
});

describe("show", () => {
  test("is for people, and tells how to go on; subagents are in it", async () => {
    await seeded();
    const { out } = await place.run(["sessions", "show", WORK]);
    expect(out).toMatch(new RegExp(`^= ${WORK} · work · 14 turns · context - · \\S+ \\S+\n`));
    expect(out).toContain("\n* u1 done\n");
    expect(out).toContain("\n| ? please\n");
    expect(out).toContain(`\n. flower once --resume ${WORK} goes on in it`);
    place.write("lineage.json", {});
    expect((await place.run(["sessions", "show", WORK], { lang: "zh" })).out).toContain("14 个回合");
  });

  test("raw is what is stored, and on a terminal nothing that acts on it", async () => {
    const odd = { type: "user", uuid: "u", message: { content: "a\u001bb\u009bc" } };
    await place.seed([{ id: LONE, entries: [odd], at: 1 }]);
    const stored = `${JSON.stringify(odd)}\n`;
    expect((await place.run(["sessions", "show", LONE, "--raw"])).out).toBe(stored);
    const shown = await place.run(["sessions", "show", LONE, "--raw"], { isTTY: true });
    expect(shown.out).toBe(stored.replace("\u009bc", ""));
  });
});

describe("export and import", () => {
  test("give the same session back, once, and overwrite nothing", async () => {
    await seeded();
    const out = join(place.workspace, "out");
    const exported = await place.run(["sessions", "export", WORK, out]);
    expect(exported.out).toBe(`+ 2 files written: ${join(out, `${WORK}.jsonl`)}\n`);
    const again = await place.run(["sessions", "export", WORK, out]);
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toContain("exists already; nothing was written");

    const other = sessionDirectory();
    try {
      const file = join(out, `${WORK}.jsonl`);
      writeFileSync(join(out, "none.jsonl"), '{"type":"user"}\n');
      const both = await other.run(["sessions", "import", join(out, "none.jsonl"), file]);
      expect(both).toMatchObject({ code: 1, out: `+ ${WORK}: 4 new rows from ${file}\n` });
      expect(both.err).toContain("none.jsonl is not a transcript of Claude Code: line 1");
      expect((await other.run(["sessions", "import", file])).out).toContain(": 0 new rows from");
      const raw = await other.run(["sessions", "show", WORK, "--raw"]);
      expect(raw.out).toBe((await place.run(["sessions", "show", WORK, "--raw"])).out);
      expect(raw.out.startsWith(readFileSync(file, "utf8"))).toBe(true);
    } finally {
      other.remove();
    }
  });

  test("of nothing but files that are none makes no run directory", async () => {
    const { code, err } = await place.run(["sessions", "import", join(place.workspace, "none.jsonl")]);
    expect(code).toBe(1);
    expect(err).toContain("there is no file");
    expect(existsSync(place.runDir)).toBe(false);
  });

  test("an id that would lead elsewhere as a file is not exported", async () => {
    await place.seed([{ id: "..", entries: talk(), at: 1 }]);
    const { code, err } = await place.run(["sessions", "export", "..", join(place.workspace, "out")]);
    expect(code).toBe(1);
    expect(err).toContain("cannot be the name of a file");
  });
});

describe("rm", () => {
  test("deletes a session with what the CLI keeps of it", async () => {
    await seeded();
    const local = join("claude", "projects", place.projectKey, `${JUDGE}.jsonl`);
    place.write(local, "x");
    const { code, out } = await place.run(["sessions", "rm", JUDGE]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^\\+ deleted ${JUDGE} · 工作·verdict#1 · .*\n= 1 session deleted, `));
    expect(storedIds()).toEqual([WORK, LONE]);
    expect(existsSync(join(place.runDir, local))).toBe(false);
  });

  test.each([
    ["that the lineage would wake", undefined, WORK, 'the next run of step "work" would go on in it'],
    ["that a step is at work in", flight(LONE, thisOwner().process), LONE, 'step "work" is at work in it'],
    [
      "while a step has no session yet",
      flight(null, thisOwner().process),
      LONE,
      "is at work in it, or may be",
    ],
    ["that a step was cut off in", flight(LONE, "1:gone"), LONE, 'step "work" was cut off in it'],
  ])("refuses a session %s, unless forced", async (_what, record, id, text) => {
    await seeded();
    if (record !== undefined) place.write("in-flight/r-1.json", record);
    const refused = await place.run(["sessions", "rm", id]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(text);
    expect(refused.err).toContain("--force");
    expect(storedIds()).toHaveLength(3);
    expect((await place.run(["sessions", "rm", id, "--force"])).code).toBe(0);
    expect(storedIds()).not.toContain(id);
  });
});

describe("gc", () => {
  test("deletes what is older, keeps what is protected, and says which and why", async () => {
    await seeded();
    const dry = await place.run(["sessions", "gc", "--older-than", "1w", "--dry-run"]);
    expect(dry.out).toMatch(
      new RegExp(
        `^\\. kept ${WORK}: the next run .*\n\\. would delete ${LONE} · - · .*\n= 1 session would be deleted, `,
      ),
    );
    expect(storedIds()).toHaveLength(3);
    const { code, out } = await place.run(["sessions", "gc", "--older-than", "1w"]);
    expect(code).toBe(0);
    expect(out).toContain(`+ deleted ${LONE} · - · `);
    expect(storedIds()).toEqual([JUDGE, WORK]);
    expect((await place.run(["sessions", "gc", "--older-than", "2w"])).out).toBe(
      ". no session is that old\n",
    );
  });
});

describe("wrong usage", () => {
  test.each([
    [["sessions", "gc"], "--older-than <age> is missing"],
    [["sessions", "gc", "--older-than", "soon"], '"soon" is not an age such as 30d, 12h or 2w'],
    [["sessions", "gc", "--older-than", "0d"], '"0d" is not an age'],
    [["sessions", "show"], "<id> is missing"],
    [["sessions", "import"], "<file> is missing"],
    [["sessions", "purge"], "there is no flower sessions purge"],
    [["sessions", "rm", "abcdef", "--raw"], "there is no option --raw here"],
    [["sessions", "export", "abcdef", ""], "a directory"],
  ])("%j is a usage error of one line", async (args, text) => {
    const { code, out, err } = await place.run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(text);
    expect(err).toMatch(/^x [^\n]+\n$/);
  });

  test("is told in Chinese too, and so is the help", async () => {
    const gc = await place.run(["sessions", "gc"], { lang: "zh" });
    expect(gc.err).toBe("x 缺少 --older-than <age>\n");
    for (const [lang, words] of [
      ["en", ["Usage:", "show", "export", "import", "rm", "gc", "look at the sessions here"]],
      ["zh", ["用法:", "show", "export", "import", "rm", "gc", "查看这里的会话"]],
    ] as const) {
      const { code, out } = await place.run(["sessions", "--help"], { lang });
      expect(code).toBe(0);
      for (const word of words) expect(out).toContain(word);
    }
  });
});
