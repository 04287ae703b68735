import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SPILL_HEAD_CHARS, type SpillOptions, spillGuard } from "../../src/guards/spill-guard.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { put, temporaryDirectory } from "../workbench/temporary.ts";
import { afterCall, replaced, run } from "./calls.ts";

/** The shapes that CLI 2.1.332 gives to hooks, as seen in a real run. */
function bash(stdout: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { stdout, stderr: "", interrupted: false, isImage: false, noOutputExpected: false, ...rest };
}
function read(content: string): Record<string, unknown> {
  return { type: "text", file: { filePath: "/ws/a.txt", content, numLines: 1, startLine: 1, totalLines: 1 } };
}

interface World {
  readonly bench: Workbench;
  readonly errors: unknown[];
  readonly spill: (tool: string, input: unknown, response: unknown, agentId?: string) => Promise<unknown>;
}

function world(options: SpillOptions = {}): World {
  const bench = new Workbench(temporaryDirectory());
  const errors: unknown[] = [];
  const guard = spillGuard(bench, { onError: (thrown) => errors.push(thrown), ...options });
  const spill: World["spill"] = async (tool, input, response, agentId) =>
    replaced(
      await run(guard, afterCall(tool, input, response, agentId === undefined ? {} : { agent_id: agentId })),
    );
  return { bench, errors, spill };
}

function fileFor(bench: Workbench, text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return join(bench.spill, `${hash}.txt`);
}

function pointerTo(bench: Workbench, text: string): string {
  const path = bench.show(fileFor(bench, text));
  return `[Long output, kept on disk: ${Array.from(text).length} characters. All of it is in ${path}; use Read on that file when you need more. It begins:]\n${Array.from(text).slice(0, SPILL_HEAD_CHARS).join("")}`;
}

const LONG = "0123456789".repeat(400);

describe("what is spilled", () => {
  test("a text of the threshold's length is, one character less is not", async () => {
    const { bench, spill } = world();
    expect(await spill("Bash", {}, bash(LONG))).toEqual(bash(pointerTo(bench, LONG)));
    expect(await spill("Bash", {}, bash(LONG.slice(1)))).toBeUndefined();
    expect(readdirSync(bench.spill)).toHaveLength(1);
  });

  test("characters are code points, and the beginning is never cut through one", async () => {
    const { bench, spill } = world();
    const flowers = "🌸".repeat(3999);
    expect(await spill("Bash", {}, bash(flowers))).toBeUndefined();
    const text = `a${flowers}`;
    const output = await spill("Bash", {}, bash(text));
    expect(output).toEqual(bash(pointerTo(bench, text)));
    expect(JSON.stringify(output)).not.toContain("\\ud83c");
    expect(readFileSync(fileFor(bench, text), "utf8")).toBe(text);
  });

  test("Bash keeps its shape, and both its streams are looked at", async () => {
    const { bench, spill } = world();
    const errors = "e".repeat(5000);
    expect(await spill("Bash", {}, bash(LONG, { stderr: errors, returnCodeInterpretation: LONG }))).toEqual(
      bash(pointerTo(bench, LONG), { stderr: pointerTo(bench, errors), returnCodeInterpretation: LONG }),
    );
  });

  test("Read keeps its shape", async () => {
    const { bench, spill } = world();
    expect(await spill("Read", { file_path: "/ws/a.txt" }, read(LONG))).toEqual(read(pointerTo(bench, LONG)));
  });

  test("other tools: long strings in nested objects, and a bare string stays a string", async () => {
    const { bench, spill } = world();
    const grep = { mode: "content", numFiles: 0, filenames: [], content: LONG, numLines: 250 };
    expect(await spill("Grep", {}, grep)).toEqual({ ...grep, content: pointerTo(bench, LONG) });
    expect(await spill("mcp__wiki__page", {}, LONG)).toBe(pointerTo(bench, LONG));
    expect(await spill("WebFetch", {}, { code: 200, a: { b: { result: LONG } } })).toEqual({
      code: 200,
      a: { b: { result: pointerTo(bench, LONG) } },
    });
  });

  test.each([
    ["a list of content blocks", "mcp__wiki__page", [{ type: "text", text: LONG }]],
    ["a list inside an object", "WebSearch", { query: "q", results: [LONG, { content: [{ title: LONG }] }] }],
    ["an image from Bash", "Bash", bash(LONG, { isImage: true })],
    [
      "an image from Read",
      "Read",
      { type: "image", file: { base64: LONG, type: "image/png", originalSize: 1 } },
    ],
    ["a notebook from Read", "Read", { type: "notebook", file: { filePath: LONG, cells: [LONG] } }],
    ["an image block", "mcp__camera__shot", { type: "image", data: LONG }],
    ["an unknown Bash shape", "Bash", LONG],
    ["nothing", "Bash", undefined],
    ["null", "Read", null],
  ])("untouched: %s", async (_name, tool, response) => {
    const { bench, errors, spill } = world();
    expect(await spill(tool, {}, response)).toBeUndefined();
    expect(existsSync(bench.spill)).toBe(false);
    expect(errors).toEqual([]);
  });

  test("subagents' results too, unless only the main thread is asked for", async () => {
    expect(await world().spill("Bash", {}, bash(LONG), "a1")).toBeDefined();
    const mainOnly = world({ mainOnly: true });
    expect(await mainOnly.spill("Bash", {}, bash(LONG), "a1")).toBeUndefined();
    expect(await mainOnly.spill("Bash", {}, bash(LONG))).toBeDefined();
  });

  test("the pointer speaks the directory's language, and an external workbench is named absolutely", async () => {
    const parent = temporaryDirectory();
    const bench = new Workbench(join(parent, "ws"), { home: join(parent, "bench") });
    const output = replaced(await run(spillGuard(bench, { lang: "zh" }), afterCall("Bash", {}, bash(LONG))));
    const path = fileFor(bench, LONG);
    expect(output).toEqual(
      bash(
        `[输出过长,已存盘:4000 字符。完整内容在 ${path},需要时用 Read 读取。开头如下:]\n${LONG.slice(0, 400)}`,
      ),
    );
  });
});

describe("the file", () => {
  test("holds the whole text, for the user alone", async () => {
    const { bench, spill } = world();
    const text = `花🌸\r\n\u0000${LONG}`;
    await spill("Bash", {}, bash(text));
    expect(readdirSync(bench.spill)).toEqual([fileFor(bench, text).slice(bench.spill.length + 1)]);
    expect(readFileSync(fileFor(bench, text), "utf8")).toBe(text);
    expect(statSync(fileFor(bench, text)).mode & 0o777).toBe(0o600);
  });

  test("is written once for the same text", async () => {
    const { bench, spill } = world();
    await spill("Bash", {}, bash(LONG));
    utimesSync(fileFor(bench, LONG), 1, 1);
    await spill("Bash", {}, bash(LONG));
    expect(statSync(fileFor(bench, LONG)).mtimeMs).toBe(1000);
  });

  test("is put right when somebody changed it, even to the same length", async () => {
    const { bench, spill } = world();
    await spill("Bash", {}, bash(LONG));
    writeFileSync(fileFor(bench, LONG), "x".repeat(LONG.length));
    await spill("Bash", {}, bash(LONG));
    expect(readFileSync(fileFor(bench, LONG), "utf8")).toBe(LONG);
  });

  test("reading it back passes, whole or in part, and so does what the store archived", async () => {
    const { bench, spill } = world();
    await spill("Bash", {}, bash(LONG));
    const path = fileFor(bench, LONG);
    expect(await spill("Read", { file_path: path }, read(LONG))).toBeUndefined();
    expect(await spill("Read", { file_path: path, offset: 3, limit: 10 }, read(LONG))).toBeUndefined();
    expect(await spill("Bash", { command: `cat ${path}` }, bash(LONG))).toBeUndefined();
    expect(await spill("Bash", { command: `cat ${path} | sort` }, bash(LONG))).toBeDefined();
    const elsewhere = new Workbench(bench.workspace, { home: join(bench.workspace, "runs", "workbench") });
    const guard = spillGuard(elsewhere);
    expect(await run(guard, afterCall("Read", { file_path: path }, read(LONG)))).toEqual({});
  });
});

describe("the CLI's own cut of a long Bash output", () => {
  const whole = Array.from({ length: 3000 }, (_, n) => `row ${n} of the output`).join("\n");
  const cut = whole.slice(0, 30_000);

  test("is undone: the file holds everything, and only our pointer is left", async () => {
    const { bench, spill } = world();
    const persisted = put(join(temporaryDirectory(), "b1.txt"), whole);
    const response = bash(cut, { persistedOutputPath: persisted, persistedOutputSize: whole.length });
    expect(await spill("Bash", {}, response)).toEqual(bash(pointerTo(bench, whole)));
    expect(readFileSync(fileFor(bench, whole), "utf8")).toBe(whole);
  });

  test.each([
    ["gone", undefined],
    ["another output's", "something else entirely"],
    ["too large", `${cut}${" ".repeat(16 * 1024 * 1024)}`],
  ])("stands when its file is %s: half of an output is never taken for the whole", async (_name, text) => {
    const { bench, errors, spill } = world();
    const persisted = join(temporaryDirectory(), "b1.txt");
    if (text !== undefined) put(persisted, text);
    expect(await spill("Bash", {}, bash(cut, { persistedOutputPath: persisted }))).toBeUndefined();
    expect(existsSync(bench.spill)).toBe(false);
    expect(errors).toEqual([]);
  });

  test("stands when the threshold lets the whole through", async () => {
    const { spill } = world({ threshold: 1_000_000 });
    const persisted = put(join(temporaryDirectory(), "b1.txt"), whole);
    expect(await spill("Bash", {}, bash(cut, { persistedOutputPath: persisted }))).toBeUndefined();
  });
});

describe("when it fails", () => {
  test("an output that cannot be put on disk goes through untouched, and the failure is reported", async () => {
    const { bench, errors, spill } = world();
    put(bench.spill, "a file where the directory should be");
    expect(await spill("Bash", {}, bash(LONG))).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: "files/not-a-directory" })]);
  });

  test("if one of two texts cannot be kept, both go through", async () => {
    const { bench, errors, spill } = world();
    const second = "e".repeat(5000);
    mkdirSync(fileFor(bench, second), { recursive: true });
    expect(await spill("Bash", {}, bash(LONG, { stderr: second }))).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: "guards/spill-blocked" })]);
  });

  test("a link in the place of the file is not written through", async () => {
    const { bench, errors, spill } = world();
    const target = put(join(bench.workspace, "precious.txt"), "precious");
    mkdirSync(bench.spill, { recursive: true });
    symlinkSync(target, fileFor(bench, LONG));
    expect(await spill("Bash", {}, bash(LONG))).toBeUndefined();
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(errors).toEqual([expect.objectContaining({ code: "guards/spill-blocked" })]);
  });

  test("a text that no file can hold goes through", async () => {
    const { errors, spill } = world();
    expect(await spill("Bash", {}, bash(`${LONG}\ud83c`))).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: "guards/not-text" })]);
  });

  test("an input that is no tool call changes nothing", async () => {
    const { bench } = world();
    expect(await run(spillGuard(bench), { hook_event_name: "PostToolUse" })).toEqual({});
  });

  test.each([0, -1, 1.5, Number.NaN])("a threshold of %s is refused at once", (threshold) => {
    const bench = new Workbench(temporaryDirectory());
    expect(() => spillGuard(bench, { threshold })).toThrow(
      expect.objectContaining({ code: "guards/bad-threshold" }),
    );
  });
});

test("the hook matches the bulky tools, or those the caller names", () => {
  const bench = new Workbench(temporaryDirectory());
  expect(spillGuard(bench).matcher).toBe("Bash|Read|Grep|Glob|WebFetch|WebSearch");
  expect(spillGuard(bench, { tools: ["Bash", "mcp__.*"] }).matcher).toBe("Bash|mcp__.*");
});

/** `output` with every pointer followed: what a patient reader of the conversation would know. */
function followed(bench: Workbench, output: unknown): unknown {
  if (typeof output === "string") {
    const path = /^\[Long output, kept on disk: \d+ characters\. All of it is in (.+?); use Read/.exec(
      output,
    )?.[1];
    return path === undefined ? output : readFileSync(join(bench.workspace, path), "utf8");
  }
  if (Array.isArray(output)) return output.map((item) => followed(bench, item));
  if (typeof output !== "object" || output === null) return output;
  return Object.fromEntries(Object.entries(output).map(([key, value]) => [key, followed(bench, value)]));
}

/** The same value with every string replaced by one word. */
function shape(output: unknown): unknown {
  if (typeof output === "string") return "string";
  if (Array.isArray(output)) return output.map(shape);
  if (typeof output !== "object" || output === null) return output;
  return Object.fromEntries(Object.entries(output).map(([key, value]) => [key, shape(value)]));
}

test("whatever a tool returns, its shape stays and every long text can be got back", async () => {
  const { bench, errors, spill } = world({ threshold: 20 });
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const output = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("any"), { maxLength: 3 }),
    object: fc.dictionary(fc.string({ maxLength: 8 }), tie("any"), { maxKeys: 4, noNullPrototype: true }),
  })).any;
  await fc.assert(
    fc.asyncProperty(output, async (response) => {
      const spilled = (await spill("mcp__any__tool", {}, response)) ?? response;
      expect(shape(spilled)).toEqual(shape(response));
      expect(followed(bench, spilled)).toEqual(response);
    }),
    { numRuns: 300 },
  );
  expect(errors).toEqual([]);
});
