import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { CommanderError } from "commander";
import { projectKey } from "../../src/agent/project-key.ts";
import { FlowerError } from "../../src/base/errors.ts";
import { errorLine } from "../../src/cli/error-line.ts";
import { buildProgram, exitCodeOf } from "../../src/cli/program.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { Lang } from "../../src/lang/lang.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";

export interface SeededSession {
  readonly id: string;
  readonly entries: readonly SessionStoreEntry[];
  /** By id. */
  readonly agents?: Readonly<Record<string, readonly SessionStoreEntry[]>>;
  /** Time of its rows, milliseconds since the epoch. */
  readonly at: number;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A workspace with a run directory, and the command in this process in front of a terminal of any width. */
export interface SessionDirectory {
  readonly workspace: string;
  readonly runDir: string;
  readonly projectKey: string;
  seed(sessions: readonly SeededSession[]): Promise<void>;
  /** Writes a file of the run directory. */
  write(name: string, content: unknown): void;
  run(args: readonly string[], terminal?: { lang?: Lang; columns?: number; isTTY?: boolean }): Promise<Ran>;
  remove(): void;
}

export function sessionDirectory(): SessionDirectory {
  const workspace = mkdtempSync(join(tmpdir(), "flower-seeded-"));
  const runDir = join(workspace, "runs");
  const key = projectKey(workspace);
  return {
    workspace,
    runDir,
    projectKey: key,
    seed: async (sessions) => {
      let now = 0;
      const clock = { now: () => now, sleep: () => Promise.resolve() };
      const store = new SqliteSessionStore({ path: join(runDir, "sessions.db"), clock });
      for (const { id, entries, agents = {}, at } of sessions) {
        now = at;
        await store.append({ projectKey: key, sessionId: id }, [...entries]);
        for (const [agent, rows] of Object.entries(agents))
          await store.append({ projectKey: key, sessionId: id, subpath: `subagents/agent-${agent}` }, [
            ...rows,
          ]);
      }
      store.close();
    },
    write: (name, content) => {
      const path = join(runDir, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    },
    run: (args, terminal) => runInProcess(["-w", workspace, ...args], terminal ?? {}),
    remove: () => rmSync(workspace, { recursive: true, force: true }),
  };
}

async function runInProcess(
  args: readonly string[],
  { lang = "en", columns, isTTY = false }: { lang?: Lang; columns?: number; isTTY?: boolean },
): Promise<Ran> {
  const [output, errors] = [new PassThrough(), new PassThrough()].map((stream) => stream.setEncoding("utf8"));
  if (output === undefined || errors === undefined) throw new Error("no streams");
  const terminal: Terminal = {
    input: new PassThrough(),
    output: Object.assign(output, { isTTY, ...(columns === undefined ? {} : { columns }) }),
    errors,
  };
  let code = 0;
  try {
    const program = buildProgram({ lang, version: "0", terminal, setExit: (exit) => (code = exit) });
    await program.parseAsync(["--lang", lang, ...args], { from: "user" });
  } catch (thrown) {
    if (thrown instanceof CommanderError) code = exitCodeOf(thrown);
    else if (thrown instanceof FlowerError) {
      code = 1;
      errors.write(`${errorLine(thrown)}\n`);
    } else throw thrown;
  }
  return { code, out: String(output.read() ?? ""), err: String(errors.read() ?? "") };
}
