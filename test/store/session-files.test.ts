import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportedFiles } from "../../src/store/exported-files.ts";
import { localBytes, removeLocalFiles } from "../../src/store/local-files.ts";
import { readSessionFiles } from "../../src/store/transcript-file.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "files-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const ID = "0a1b2c3d-0000-4000-8000-00000000000f";
const user = { type: "user", uuid: "u1", sessionId: "named", message: { content: "hi" } };

function put(name: string, text: string): string {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const lines = (...rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const read = (path: string) => readSessionFiles(path, { projectKey: "-p", lang: "en" });

describe("reading a transcript", () => {
  test("takes its subagents along, and leaves the CLI's notes on requests out", () => {
    const path = put(`${ID}.jsonl`, lines({ type: "mode" }, user, { type: "api-request-blob" }));
    put(`${ID}/subagents/agent-a1.jsonl`, lines({ type: "user", uuid: "u3" }));
    put(`${ID}/subagents/agent-a1.meta.json`, '{"agentType":"coder"}');
    const main = { projectKey: "-p", sessionId: ID };
    expect(read(path)).toEqual({
      sessionId: ID,
      cut: [],
      transcripts: [
        { key: main, entries: [{ type: "mode" }, user] },
        expect.objectContaining({
          key: { ...main, subpath: "subagents/agent-a1" },
          entries: [
            { type: "user", uuid: "u3" },
            { type: "agent_metadata", agentType: "coder" },
          ],
        }),
      ],
    });
  });

  test("goes by the name of the file when that is a uuid, else by what the rows say", () => {
    expect(read(put(`${ID.toUpperCase()}.jsonl`, lines(user))).sessionId).toBe(ID);
    expect(read(put("copy of it.jsonl", lines(user))).sessionId).toBe("named");
  });

  test("a last line that was cut off is left out and told", () => {
    const path = put(`${ID}.jsonl`, `${lines(user)}{"type":"assis`);
    expect(read(path)).toMatchObject({ cut: [path], transcripts: [{ entries: [user] }] });
  });

  test.each([
    ["something else in the middle", `${lines(user)}nonsense\n${lines(user)}`, 2],
    ["a row without a type", lines(user, { uuid: "u" }, user), 2],
    ["no JSON at all", "# Title\n\ntext", 1],
    ["one line without an end", '{"type":"us', 1],
    ["lines of something else that have a type", lines({ type: "event" }, { type: "user" }), 1],
    ["nothing", "", 1],
    ["rows that name no usable session", lines({ ...user, sessionId: "../x" }), 1],
  ])("%s is no transcript", (_what, text, line) => {
    const path = put("other.jsonl", text);
    expect(() => read(path)).toThrow(`${path} is not a transcript of Claude Code: line ${line}`);
  });

  test("a subagent that is none refuses all of it, by its own name; so does a file that is not there", () => {
    const path = put(`${ID}.jsonl`, lines(user));
    const inner = put(`${ID}/subagents/agent-a1.jsonl`, "nonsense\n{}");
    expect(() => read(path)).toThrow(`${inner} is not a transcript of Claude Code: line 1`);
    expect(() => read(join(directory, "none.jsonl"))).toThrow("there is no file");
  });
});

test("what is written is what is stored, and what the CLI keeps beside a subagent is a file again", () => {
  const odd = '{"type" : "user","x":1}';
  const first = '{"type":"agent_metadata","agentType":"coder"}';
  const last = '{"type":"agent_metadata","agentType":"coder","finished":true}';
  expect(
    exportedFiles(ID, [
      { subpath: undefined, payloads: [odd, "not JSON"] },
      { subpath: "subagents/agent-a1", payloads: [first, odd, last] },
      { subpath: "subagents/agent-a2", payloads: [odd] },
    ]),
  ).toEqual([
    { path: `${ID}.jsonl`, text: `${odd}\nnot JSON\n` },
    { path: `${ID}/subagents/agent-a1.jsonl`, text: `${odd}\n` },
    { path: `${ID}/subagents/agent-a1.meta.json`, text: '{"agentType":"coder","finished":true}' },
    { path: `${ID}/subagents/agent-a2.jsonl`, text: `${odd}\n` },
  ]);
});

test("the CLI's own files of a session are counted and removed, and nobody else's", () => {
  const session = { projectKey: "-p", sessionId: ID };
  expect(localBytes(directory, session)).toBe(0);
  put(`projects/-p/${ID}.jsonl`, "12345");
  put(`projects/-p/${ID}/tool-results/x.txt`, "123");
  const other = put("projects/-p/other.jsonl", "1");
  expect(localBytes(directory, session)).toBe(8);
  for (const sessionId of [".", ".."]) removeLocalFiles(directory, { ...session, sessionId });
  expect(localBytes(directory, session)).toBe(8);
  removeLocalFiles(directory, session);
  expect(localBytes(directory, session)).toBe(0);
  expect(existsSync(other)).toBe(true);
});
