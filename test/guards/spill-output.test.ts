import { expect, test } from "vitest";
import { spillOutput } from "../../src/guards/spill-output.ts";

const upper = (text: string): string => text.toUpperCase();
const same = (text: string): string => text;

test.each([
  ["Bash", { stdout: "a", stderr: "b", other: "c" }, { stdout: "A", stderr: "B", other: "c" }],
  ["Bash", { stdout: "a", isImage: true }, { stdout: "a", isImage: true }],
  ["Bash", { stdout: ["a"] }, { stdout: ["a"] }],
  [
    "Read",
    { type: "text", file: { filePath: "p", content: "a" } },
    { type: "text", file: { filePath: "p", content: "A" } },
  ],
  ["Read", { type: "pdf", file: { content: "a" } }, { type: "pdf", file: { content: "a" } }],
  ["Grep", { mode: "a", filenames: ["b"] }, { mode: "A", filenames: ["b"] }],
  ["mcp__x__y", "a", "A"],
  ["mcp__x__y", ["a"], ["a"]],
  ["mcp__x__y", { type: "image", data: "a" }, { type: "image", data: "a" }],
  [
    "mcp__x__y",
    { list: [{ deep: "a" }], deep: { text: "a" } },
    { list: [{ deep: "a" }], deep: { text: "A" } },
  ],
])("%s: %j -> %j", (tool, output, expected) => {
  expect(spillOutput(tool, output, upper)).toEqual(expected);
});

test("without a replacement the very same value comes back", () => {
  for (const tool of ["Bash", "Read", "Grep"]) {
    const output = { type: "text", stdout: "a", file: { content: "a" }, nested: { text: "a" } };
    expect(spillOutput(tool, output, same)).toBe(output);
  }
});

test("the output given in is never changed", () => {
  const output = Object.freeze({ file: Object.freeze({ content: "a" }) });
  expect(spillOutput("Grep", output, upper)).toEqual({ file: { content: "A" } });
  expect(output.file.content).toBe("a");
});

test("a key named __proto__ is a key like any other", () => {
  const output: unknown = JSON.parse('{"__proto__": {"text": "a"}}');
  expect(JSON.stringify(spillOutput("mcp__x__y", output, upper))).toBe('{"__proto__":{"text":"A"}}');
});

test("an object that is more than data is left alone", () => {
  const when = new Date(0);
  expect(spillOutput("mcp__x__y", when, upper)).toBe(when);
});
