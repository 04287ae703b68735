import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { closingLine, openedFence, withoutFences } from "../../src/documents/fences.ts";

/** Line numbers (from 0) that CommonMark counts to fenced code. */
function fencedByMarkdown(text: string): readonly number[] {
  const lines = text.split("\n");
  const fenced: number[] = [];
  const visit = (
    node: ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number],
  ) => {
    if (node.type === "code" && node.position !== undefined) {
      const { start, end } = node.position;
      if (!isIndentedCode(lines[start.line - 1] ?? "")) {
        for (let line = start.line; line <= end.line; line += 1) fenced.push(line - 1);
      }
    }
    if ("children" in node) node.children.forEach(visit);
  };
  visit(fromMarkdown(text));
  return fenced;
}

/** The other kind of code block: its first line is indented by four columns. */
function isIndentedCode(line: string): boolean {
  return /^(?: {4}| {0,3}\t)/.test(line);
}

function fencedByUs(text: string): readonly number[] {
  const numbered = text.split("\n").map((line, at) => ({ line, at }));
  const fenced: number[] = [];
  for (const { at } of numbered) {
    const before = withoutFences(text.split("\n").slice(0, at));
    const after = withoutFences(text.split("\n").slice(0, at + 1));
    if (after.lines.length === before.lines.length) fenced.push(at);
  }
  return fenced;
}

const line = fc
  .tuple(
    fc.constantFrom("", "", " ", "  ", "   ", "    ", "\t", " \t", "> "),
    fc.constantFrom(
      "```",
      "````",
      "~~~",
      "~~~~~",
      "``",
      "~~",
      "```ts",
      "~~~ `a`",
      "```a`b",
      "~~~a~b",
      "word",
      "## Goal",
      "",
    ),
    fc.constantFrom("", "", " ", "\t", " x"),
  )
  .map((parts) => parts.join(""));

test("property: a line is fenced for us exactly when it is for CommonMark", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      // A quotation is a container of its own; a fence in it ends with it and is none of ours.
      const text = lines
        .map((each) => (each.startsWith("> ") ? `> ${each.replaceAll(/[`~]/g, "")}` : each))
        .join("\n");
      expect(fencedByUs(text)).toEqual(fencedByMarkdown(text));
    }),
    { numRuns: 2_000 },
  );
});

describe("a fence", () => {
  test("in a list item, on the line of its marker, is one for us as for CommonMark", () => {
    const text = "1. ```sh\n   ls\n   ```\n2. word";
    expect(fencedByUs(text)).toEqual([0, 1, 2]);
    expect(fencedByMarkdown(text)).toEqual([0, 1, 2]);
  });

  test("is not opened by five spaces after a list marker: that is indented code", () => {
    expect(openedFence("-     ```")).toBeUndefined();
    expect(openedFence("-    ```")).toEqual({ character: "`", length: 3, column: 5 });
  });

  test("that is open at the end is named, and its closing line closes it", () => {
    const { open } = withoutFences(["a", "~~~~ js", "b", "~~~"]);
    expect(open).toEqual({ character: "~", length: 4, column: 0 });
    if (open === undefined) return;
    expect(withoutFences(["a", "~~~~ js", "b", closingLine(open), "c"])).toEqual({
      lines: ["a", "c"],
      gaps: new Set([1]),
      open: undefined,
    });
  });
});
