import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { STORE_MESSAGES } from "../../src/lang/messages/store.ts";
import { codePoints } from "../../src/store/code-points.ts";
import { resolveTrimPolicy } from "../../src/store/policies.ts";
import { blocksOf } from "../../src/store/transcript.ts";
import { trim } from "../../src/store/trim.ts";
import { transcript } from "./build.ts";

const options = {
  policy: resolveTrimPolicy({ keepRecent: 1 }),
  directory: "/ws/.flower/spill",
  say: STORE_MESSAGES.zh,
};
const large = "深".repeat(2000);
const nameOf = (text: string): string =>
  `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.txt`;
const pointerTo = (text: string, chars: number): string =>
  `[工具结果已归档:${chars} 字符。完整内容在 /ws/.flower/spill/${nameOf(text)},需要时用 Read 读取]`;

function oneLarge(content: unknown, extra: Record<string, unknown> = {}) {
  const t = transcript();
  t.calls("a", "Read", { file_path: "x" });
  t.answers("a", content, extra);
  t.calls("b", "Read", { file_path: "y" });
  t.answers("b", "small");
  return t.entries;
}

describe("trim", () => {
  test("an old large result becomes one line with the size and the place, and its text is to be spilled", () => {
    const { entries, spills, report } = trim(oneLarge(large), options);
    expect(blocksOf(entries[1] ?? { type: "" })).toEqual([
      { type: "tool_result", tool_use_id: "a", content: pointerTo(large, 2000) },
    ]);
    expect(spills).toEqual([{ name: nameOf(large), text: large }]);
    expect(report).toEqual({ trimmed: 1, savedChars: 2000 - codePoints(pointerTo(large, 2000)) });
  });

  test("in English the line says the same", () => {
    const { entries } = trim(oneLarge(large), { ...options, say: STORE_MESSAGES.en });
    expect(blocksOf(entries[1] ?? { type: "" })[0]?.content).toBe(
      `[Tool result archived: 2000 characters. The full text is in /ws/.flower/spill/${nameOf(large)}; use Read when you need it]`,
    );
  });

  test("characters are code points: 1,999 emoji are not 2,000 characters", () => {
    expect(trim(oneLarge("😀".repeat(1999)), options).report.trimmed).toBe(0);
    expect(trim(oneLarge("😀".repeat(2000)), options).report.trimmed).toBe(1);
  });

  test("the newest results stay however large they are", () => {
    const t = transcript();
    t.calls("a", "Read", {});
    t.answers("a", large);
    expect(trim(t.entries, options).entries).toBe(t.entries);
  });

  test("images and documents stay, and the texts around them are archived as one", () => {
    const image = { type: "image", source: { type: "base64", data: "A".repeat(5000) } };
    const content = [{ type: "text", text: large }, image, { type: "text", text: "tail" }];
    const { entries, spills } = trim(oneLarge(content), options);
    const text = `${large}\ntail`;
    expect(blocksOf(entries[1] ?? { type: "" })[0]?.content).toEqual([
      { type: "text", text: pointerTo(text, 2005) },
      image,
    ]);
    expect(spills).toEqual([{ name: nameOf(text), text }]);
  });

  test("a result that is only an image stays", () => {
    const entries = oneLarge([{ type: "image", source: { type: "base64", data: "A".repeat(5000) } }]);
    expect(trim(entries, options).entries).toBe(entries);
  });

  test("the long strings of the tool's own copy follow, the short ones and the shape stay", () => {
    const { entries } = trim(
      oneLarge(large, {
        toolUseResult: { type: "text", file: { filePath: "x", content: large, numLines: 1 } },
      }),
      options,
    );
    expect(entries[1]?.toolUseResult).toEqual({
      type: "text",
      file: { filePath: "x", content: pointerTo(large, 2000), numLines: 1 },
    });
  });

  test("a summary and the harness's own remark are never trimmed", () => {
    for (const flag of ["isCompactSummary", "isMeta"]) {
      const entries = oneLarge(large, { [flag]: true });
      expect(trim(entries, options).entries).toBe(entries);
    }
  });

  test("a pointer is not archived itself, even with a tiny threshold", () => {
    const tiny = { ...options, policy: resolveTrimPolicy({ keepRecent: 0, minChars: 1 }) };
    const once = trim(oneLarge(large), tiny);
    const twice = trim(once.entries, tiny);
    expect(once.report.trimmed).toBe(2);
    expect(twice.entries).toBe(once.entries);
    expect(twice.spills).toEqual([]);
  });

  test("the input is not touched, and entries without change are the same objects", () => {
    const entries = oneLarge(large);
    const before = structuredClone(entries);
    const { entries: after } = trim(entries, options);
    expect(entries).toEqual(before);
    expect([0, 2, 3].every((index) => after[index] === entries[index])).toBe(true);
  });
});
