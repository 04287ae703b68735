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
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FlowerError } from "../../src/base/errors.ts";
import {
  PruningSessionStore,
  type PruningSessionStoreOptions,
} from "../../src/store/pruning-session-store.ts";
import { blocksOf, resultText } from "../../src/store/transcript.ts";
import { trimReport } from "../../src/store/trim-report.ts";
import { TrimmingSessionStore } from "../../src/store/trimming-session-store.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";
import { transcript } from "./build.ts";

const key = { projectKey: "-work-project", sessionId: "11111111-0000-4000-8000-000000000001" };
const agent = { ...key, subpath: "subagents/agent-1" };
let directory: string;
let workspace: string;
const opened: TrimmingSessionStore[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flower-store-"));
  workspace = join(directory, "ws");
  mkdirSync(workspace);
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(options: Partial<PruningSessionStoreOptions> = {}): PruningSessionStore {
  const store = new PruningSessionStore({ path: join(directory, "sessions.db"), workspace, ...options });
  opened.push(store);
  return store;
}

const large = "line of a long log\n".repeat(200);
const keepNothing = { trim: { keepRecent: 0 }, ephemeral: { keepRecent: 0 } };

/** A glance, a large result, an API error, two denials and a call without a result. */
function eventful(): SessionStoreEntry[] {
  const t = transcript();
  t.prompt("go");
  t.bash("glance", "git status");
  t.answers("glance", "clean");
  t.calls("large", "Read", { file_path: "log" });
  t.answers("large", large);
  t.apiError();
  t.denied("no1");
  t.denied("no2");
  t.bash("orphan", "make");
  return t.entries;
}

const texts = (entries: readonly SessionStoreEntry[] | null): readonly string[] =>
  (entries ?? []).flatMap((entry) => blocksOf(entry).map(resultText)).filter((text) => text !== "");

describe("the three layers", () => {
  test("expire, trim, prune and mend in one load, counted, while the database keeps every word", async () => {
    const store = open(keepNothing);
    await store.append(key, eventful());
    const fed = await store.load(key);
    expect(store.lastReport).toMatchObject({
      expired: 1,
      trimmed: 1,
      apiErrors: 1,
      denials: 1,
      healed: 1,
      bridged: 0,
    });
    expect([store.pruned, store.denialsDropped]).toEqual([1, 1]);
    expect(texts(fed).some((text) => text.includes("git status has expired"))).toBe(true);
    expect(texts(fed)).not.toContain(large);
    const plain = open({ trim: false, ephemeral: false, prune: false });
    expect(await plain.load(key)).toEqual(eventful());
  });

  test("with every policy off the load is what was appended, and nothing is counted", async () => {
    const store = open({ trim: false, ephemeral: false, prune: false });
    await store.append(key, eventful());
    expect(await store.load(key)).toEqual(eventful());
    expect(Object.values(store.lastReport).every((count) => count === 0)).toBe(true);
  });

  test("the middle layer alone expires and trims, and leaves errors and orphans", async () => {
    const store = new TrimmingSessionStore({
      path: join(directory, "sessions.db"),
      workspace,
      ...keepNothing,
    });
    opened.push(store);
    await store.append(key, eventful());
    expect(await store.load(key)).toHaveLength(eventful().length);
    expect(store.lastReport).toMatchObject({ expired: 1, trimmed: 1, apiErrors: 0, healed: 0 });
  });

  test("trim off still expires and prunes", async () => {
    const store = open({ trim: false, ephemeral: { keepRecent: 0 } });
    await store.append(key, eventful());
    expect(texts(await store.load(key))).toContain(large);
    expect(store.lastReport).toMatchObject({ expired: 1, trimmed: 0, apiErrors: 1 });
  });

  test("a stopped subagent can be continued after a load", async () => {
    const store = open();
    await store.append(agent, [{ type: "agent_metadata", agentType: "coder", stoppedByUser: true }]);
    expect(await store.load(agent)).toEqual([{ type: "agent_metadata", agentType: "coder" }]);
    expect(await open({ prune: { reviveAgents: false } }).load(agent)).toEqual([
      { type: "agent_metadata", agentType: "coder", stoppedByUser: true },
    ]);
  });

  test("the count covers a resume: the main transcript starts it, its subagents add, the next main starts anew", async () => {
    const store = open(keepNothing);
    await store.append(key, eventful());
    await store.append(agent, eventful());
    await store.load(key);
    await store.load(agent);
    expect(store.lastReport.trimmed).toBe(2);
    await store.load(key);
    expect(store.lastReport.trimmed).toBe(1);
    await store.load({ ...key, sessionId: "nobody" });
    expect(store.lastReport.trimmed).toBe(0);
  });
});

describe("trimReport", () => {
  test.each([
    ["en", "1 expired; trimmed 1 (kept last 0), saved ~"],
    ["zh", "过期 1 条;裁剪 1 条(保留最近 0 条),约省 "],
  ] as const)("in %s says what was done in one line", async (lang, start) => {
    const store = open({ ...keepNothing, lang });
    expect(trimReport(store)).toBe(lang === "en" ? "nothing trimmed" : "没有可裁剪的内容");
    await store.append(key, eventful());
    await store.load(key);
    const saved = Math.round(store.lastReport.savedChars / 4);
    expect(trimReport(store)).toBe(`${start}${saved} tokens`);
    expect(saved).toBeGreaterThan(800);
  });

  test("says only that results expired when nothing was trimmed", async () => {
    const store = open({ trim: false, ephemeral: { keepRecent: 0 } });
    await store.append(key, eventful());
    await store.load(key);
    expect(trimReport(store)).toBe("1 expired");
  });
});

describe("spilled results", () => {
  const spillDirectory = () => join(workspace, ".flower", "spill");

  test("lie in the workspace under the hash of their text, once however often they are loaded", async () => {
    const store = open(keepNothing);
    await store.append(key, eventful());
    await store.load(key);
    await store.load(key);
    const files = readdirSync(spillDirectory());
    expect(files).toHaveLength(1);
    expect(files[0]).toMatch(/^[\da-f]{16}\.txt$/);
    expect(readFileSync(join(spillDirectory(), files[0] ?? ""), "utf8")).toBe(large);
  });

  test("a spill that was changed or lost is written again before a pointer leads to it", async () => {
    const store = open(keepNothing);
    await store.append(key, eventful());
    await store.load(key);
    const file = join(spillDirectory(), readdirSync(spillDirectory())[0] ?? "");
    writeFileSync(file, "forged");
    await store.load(key);
    expect(readFileSync(file, "utf8")).toBe(large);
  });

  test("when they cannot be written the results are fed back in full, and it is said once", async () => {
    writeFileSync(join(workspace, ".flower"), "a file where the directory should be");
    const store = open(keepNothing);
    await store.append(key, eventful());
    expect(texts(await store.load(key))).toContain(large);
    await store.load(key);
    expect(store.lastReport).toMatchObject({ trimmed: 0, savedChars: 0, expired: 1 });
    expect(store.notices).toEqual([expect.stringContaining(spillDirectory())]);
  });

  test("a link that an agent left does not carry them outside", async () => {
    const elsewhere = join(directory, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(workspace, ".flower"));
    const store = open(keepNothing);
    await store.append(key, eventful());
    expect(texts(await store.load(key))).toContain(large);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(store.notices).toHaveLength(1);
  });

  test("a link in place of the file itself is replaced by the file", async () => {
    const store = open(keepNothing);
    await store.append(key, eventful());
    await store.load(key);
    const file = join(spillDirectory(), readdirSync(spillDirectory())[0] ?? "");
    const victim = join(directory, "victim");
    writeFileSync(victim, "precious");
    rmSync(file);
    symlinkSync(victim, file);
    await store.load(key);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(file, "utf8")).toBe(large);
  });
});

describe("policies", () => {
  const codeOf = (options: Partial<PruningSessionStoreOptions>): string => {
    try {
      open(options);
      return "none";
    } catch (thrown) {
      return thrown instanceof FlowerError ? thrown.code : String(thrown);
    }
  };

  test("have the defaults of the specification, and partial ones keep the rest", () => {
    const store = open({ trim: { minChars: 5 }, lang: "zh" });
    expect(store.trimPolicy).toEqual({
      enabled: true,
      keepRecent: 20,
      minChars: 5,
      spillDirname: ".flower/spill",
    });
    expect(store.ephemeralPolicy).toEqual({
      enabled: true,
      keepRecent: 6,
      maxChars: 2000,
      text: "[{cmd} 的结果已过期(第 {age} 轮前),当前状态可能已变。需要请重新执行]",
    });
    expect(store.prunePolicy).toMatchObject({
      dropApiErrors: true,
      neutralizeInterrupts: true,
      keepDenials: 1,
      healOrphans: true,
      reviveAgents: true,
    });
  });

  test.each(["../outside", "/etc", ".", "a/../.."])(
    "a spill directory %j outside the workspace is refused",
    (name) => {
      expect(codeOf({ trim: { spillDirname: name } })).toBe("store/spill-outside-workspace");
    },
  );

  test.each([
    [{ trim: { keepRecent: -1 } }],
    [{ trim: { minChars: 1.5 } }],
    [{ ephemeral: { keepRecent: Number.NaN } }],
    [{ prune: { keepDenials: -1 } }],
  ])("%j is refused", (options) => {
    expect(codeOf(options)).toBe("store/bad-policy");
  });

  test("nothing is spilled when nothing is large", async () => {
    const store = open();
    await store.append(key, [{ type: "user", uuid: "a" }]);
    await store.load(key);
    expect(existsSync(join(workspace, ".flower"))).toBe(false);
  });
});
