import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../src/store/database.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { bundledChild } from "./bundled-child.ts";
import type { Phase } from "./phase-child.ts";

/** Of Linux: gives a process mounts of its own. */
const UNSHARE = "unshare";
const key = { projectKey: "-work-project", sessionId: "s" };
const good = (uuid: string) => ({ type: "user", uuid, text: "kept" });

let directory: string;
let path: string;
let store: SqliteSessionStore | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flower-store-"));
  path = join(directory, "runs", "sessions.db");
});
afterEach(() => {
  store?.close();
  store = undefined;
  rmSync(directory, { recursive: true, force: true });
});

function open(): SqliteSessionStore {
  store = new SqliteSessionStore({ path });
  return store;
}

function expectSound(): void {
  const database = connect(path);
  expect(database.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  database.close();
}

describe("an entry that is no JSON", () => {
  const circular: Record<string, unknown> = { depth: 1 };
  circular["self"] = circular;

  test.each([
    ["circular", { type: "assistant", uuid: "bad", message: circular }, /circular/i],
    ["with a BigInt in it", { type: "assistant", uuid: "bad", message: { size: 1n } }, /BigInt/],
    [
      "that turns itself into nothing",
      { type: "assistant", uuid: "bad", toJSON: () => undefined },
      /no JSON/,
    ],
  ])(
    "%s, is named with its place; what is stored stays, and the next good batch is stored",
    async (_, bad, why) => {
      const opened = open();
      await opened.append(key, [good("a")]);
      const failed = opened.append({ ...key, subpath: "subagents/agent-1" }, [good("b"), bad, good("c")]);
      await expect(failed).rejects.toMatchObject({
        code: "store/not-storable",
        message: expect.stringMatching(/entry 2 \(assistant bad\).*-work-project\/s\/subagents\/agent-1/),
        hint: expect.stringContaining("JSON"),
      });
      await expect(failed).rejects.toThrow(why);
      await expect(failed).rejects.not.toThrow(/\n/);
      expect(await opened.load({ ...key, subpath: "subagents/agent-1" })).toBeNull();
      await opened.append(key, [good("b")]);
      expect(await opened.load(key)).toEqual([good("a"), good("b")]);
      expectSound();
    },
  );
});

test("an entry of 60 MB is stored like any other, and so is what comes after it", async () => {
  const opened = open();
  const large = { type: "user", uuid: "large", text: "值".repeat(20_000_000) };
  await opened.append(key, [good("a"), large]);
  await opened.append(key, [good("b")]);
  const loaded = await opened.load(key);
  expect(loaded?.map(({ uuid }) => uuid)).toEqual(["a", "large", "b"]);
  expect(loaded?.[1]?.["text"] === large.text).toBe(true);
});

test("a text file where the database should be is kept, said, and in nobody's way", async () => {
  mkdirSync(join(directory, "runs"));
  writeFileSync(path, "notes about the sessions\n");
  const opened = open();
  expect(opened.notices).toEqual([expect.stringContaining(`${path}.corrupt-`)]);
  await opened.append(key, [good("a")]);
  expect(await opened.load(key)).toEqual([good("a")]);
});

describe("a database that another process has locked", () => {
  let locker: ChildProcess | undefined;
  afterEach(async () => {
    if (locker === undefined || locker.exitCode !== null) return;
    const gone = once(locker, "exit");
    locker.kill("SIGKILL");
    await gone;
  });

  /** Returns when the other process has the lock; it lets go by itself after `holdMs`. */
  async function lock(holdMs: number): Promise<void> {
    locker = spawn(process.execPath, [join(import.meta.dirname, "locking-child.cjs"), path, String(holdMs)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (locker.stdout !== null) await once(locker.stdout, "data");
  }

  test("for a moment: the batch waits for it, and is stored", async () => {
    const opened = open();
    await lock(1000);
    await opened.append(key, [good("a")]);
    expect(await opened.load(key)).toEqual([good("a")]);
  });

  test("for ten seconds: a clear error after five; reading goes on, and the next batch is stored", async () => {
    const opened = open();
    await opened.append(key, [good("a")]);
    await lock(10_000);
    await expect(opened.append(key, [good("b")])).rejects.toMatchObject({
      code: "store/locked",
      message: `${path} has been locked by another program for more than 5 seconds`,
      hint: expect.stringContaining("Wait"),
    });
    expect(await opened.load(key)).toEqual([good("a")]);
    if (locker !== undefined && locker.exitCode === null) await once(locker, "exit");
    await opened.append(key, [good("b")]);
    expect(await opened.load(key)).toEqual([good("a"), good("b")]);
  });
});

describe("a place that takes no more", () => {
  let child: { directory: string; path: string };
  beforeAll(async () => {
    child = await bundledChild("phase-child.ts");
    // Also for somebody who is not root; the checkout may lie where only root reads.
    chmodSync(child.directory, 0o755);
  });
  afterAll(() => rmSync(child.directory, { recursive: true, force: true }));

  const phase = (...args: readonly string[]): Phase => {
    const printed: Phase = JSON.parse(
      execFileSync(process.execPath, [child.path, path, ...args], { encoding: "utf8" }),
    );
    return printed;
  };

  describe("because it is read-only", () => {
    beforeEach(() => {
      chmodSync(directory, 0o755);
      expect(phase("write")).toEqual({ stored: 1, entries: 1 });
    });
    afterEach(() => chmodSync(join(directory, "runs"), 0o755));

    test.each([
      ["the file", { file: 0o444, directory: 0o777 }, "store/database-failed", 1],
      ["the directory", { file: 0o666, directory: 0o555 }, "store/cannot-open", null],
    ])(
      "%s: a clear error, and what is stored is there when it can be written again",
      (_, modes, code, entries) => {
        chmodSync(path, modes.file);
        chmodSync(join(directory, "runs"), modes.directory);
        expect(phase("write", "as-nobody")).toEqual({
          stored: 0,
          entries,
          error: {
            code,
            message: expect.stringContaining(`${path}: `),
            hint: expect.stringMatching(/permissions|writable/),
          },
        });
        chmodSync(join(directory, "runs"), 0o755);
        chmodSync(path, 0o600);
        expect(phase("write")).toEqual({ stored: 1, entries: 2 });
        expectSound();
      },
    );
  });

  /** A real full disk needs a file system of its own, which not every machine lets a test make. */
  const canMount = spawnSync(UNSHARE, ["-rm", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status === 0;
  const [means, around, full] = canMount
    ? [
        "a file system of 8 MB",
        [UNSHARE, "-rm"],
        `mount -t tmpfs -o size=8m tmpfs "$3"; head -c 3000000 /dev/zero > "$3/ballast"; "$1" "$2" "$4" fill`,
      ]
    : ["a limit on the size of files", [], `(trap "" XFSZ; ulimit -f 8000; "$1" "$2" "$4" fill)`];

  test(`because the disk is full (${means}): a clear error, every acknowledged batch is there, and with space the next is stored`, () => {
    const script = `mkdir -p "$3"; ${full}; rm -f "$3/ballast"; "$1" "$2" "$4" write`;
    const runs = join(directory, "runs");
    const shell = ["sh", "-c", script, "sh", process.execPath, child.path, runs, path];
    const [command, ...args]: string[] = [...around, ...shell];
    const lines = execFileSync(String(command), args, { encoding: "utf8" }).trim().split("\n");
    const [filled, after]: Phase[] = lines.map((line) => JSON.parse(line));
    expect(filled).toMatchObject({
      error: {
        code: "store/database-failed",
        message: expect.stringMatching(/full|disk I\/O/),
        hint: expect.stringContaining("space"),
      },
    });
    expect(filled?.stored).toBeGreaterThan(3);
    expect(filled?.entries).toBe((filled?.stored ?? 0) * 10);
    expect(after).toEqual({ stored: 1, entries: (filled?.stored ?? 0) * 10 + 1 });
  });
});
