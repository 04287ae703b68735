import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import type { Lang } from "../../src/lang/lang.ts";

/** What the command line says to a usage error; none of these gets as far as an action. */
async function complaint(lang: Lang, ...args: readonly string[]): Promise<string> {
  const errors = new PassThrough();
  const terminal = { input: new PassThrough(), output: new PassThrough(), errors };
  const program = buildProgram({ lang, version: "0", terminal, setExit: () => undefined });
  await expect(program.parseAsync(args, { from: "user" })).rejects.toMatchObject({ exitCode: 1 });
  return String(errors.read());
}

describe("a usage error is one line in the reader's language", () => {
  test.each<readonly [en: string, zh: string, ...args: string[]]>([
    ["there is no option --frob here", "这里没有 --frob 这个选项", "--frob"],
    [
      "there is no option --round here; did you mean --rounds?",
      "这里没有 --round 这个选项;是不是 --rounds?",
      "--round",
      "2",
    ],
    [
      'flower go takes 1 argument, not 3; put a sentence in quotes: flower "…"',
      'flower go 最多 1 个参数,这里有 3 个;一句话请用引号括起来:flower "…"',
      "fix",
      "the",
      "bug",
    ],
    ["<target> is missing", "缺少 <target>", "run"],
    ["--lang <lang> needs a value", "--lang <lang> 要有一个值", "--lang"],
    [
      '-w, --workspace <dir>: "" is not a directory: give its path',
      "-w, --workspace <dir>:「」无效,应为:目录的路径",
      "-w",
      "",
    ],
    [
      '--rounds <n>: "it\'s" is not a whole number of at least 1',
      "--rounds <n>:「it's」无效,应为:不小于 1 的整数",
      "--rounds",
      "it's",
    ],
    [
      "flower setup does not exist yet; if it is something to be built, say it in a sentence",
      "还没有 flower setup 这个命令;如果是想让它做的事,请用一句话说清楚",
      "setup",
    ],
  ])("%s", async (en, zh, ...args) => {
    expect(await complaint("en", ...args)).toBe(`x ${en}\n`);
    expect(await complaint("zh", ...args)).toBe(`x ${zh}\n`);
  });

  test("an empty path is none, for every option that takes one", async () => {
    for (const args of [
      ["-r", "", "hi"],
      ["demo", "--dir", ""],
      ["--workspace=", "hi"],
    ])
      expect(await complaint("en", ...args)).toContain("give its path");
  });
});
