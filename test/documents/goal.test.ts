import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commandOf } from "../../src/documents/check-command.ts";
import { Goal } from "../../src/documents/goal.ts";
import { anyUnits, lang, trickyText } from "./arbitraries.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flower-goal-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe("a goal", () => {
  test("needs a statement and at least one check", () => {
    expect(new Goal({ statement: "a", checks: ["b"] }).complete()).toBe(true);
    expect(new Goal({ statement: "a", checks: ["(空)", "-", " "] }).missing()).toEqual(["Checklist"]);
    expect(new Goal({ lang: "zh" }).missing()).toEqual(["目标", "判定清单"]);
  });

  test("is written and loaded", () => {
    const path = join(directory, "目标.md");
    expect(Goal.load(path)).toBeUndefined();
    const goal = new Goal({ statement: "能用", checks: ["甲", "乙"], lang: "zh" });
    expect(goal.write(path)).toBe(path);
    expect(readFileSync(path, "utf8")).toBe("## 目标\n\n能用\n\n## 判定清单\n\n- 甲\n- 乙\n");
    expect(Goal.load(path)).toEqual(goal.with({ path }));
  });

  test("written by hand in the original's form loads", () => {
    const path = join(directory, "目标.md");
    writeFileSync(
      path,
      "# 目标\n\n待办工具能用。\n\n## 判定清单\n\n1. `todo add` 能用\n2. macOS 上能打开[此环境无法验证：没有 macOS]\n3. 测试通过\n",
    );
    const goal = Goal.load(path);
    expect(goal?.statement).toBe("待办工具能用。");
    expect(goal?.checks).toEqual([
      "`todo add` 能用",
      "macOS 上能打开[此环境无法验证：没有 macOS]",
      "测试通过",
    ]);
    expect(goal?.unverifiable).toEqual(["macOS 上能打开[此环境无法验证：没有 macOS]"]);
  });

  test("that is amended keeps what it said, and says that the change wins", () => {
    const goal = new Goal({ statement: "fast", checks: ["a"], path: "/w/goal.md" });
    const amended = goal.amend("slow is fine\n## Checklist");
    expect(goal.statement).toBe("fast");
    expect(amended.statement).toBe("fast\n\n(modified) slow is fine\n## Checklist");
    expect(Goal.parse(amended.toMarkdown())).toEqual(amended.with({ path: undefined }));
    expect(amended.promptBlock()).toMatch(/in \/w\/goal\.md\..*\(modified\) contradicts/s);
    expect(goal.promptBlock()).not.toContain("modified");
    expect(goal.amend(" \n")).toBe(goal);
    expect(new Goal({ statement: "快", lang: "zh" }).amend("慢也行").statement).toBe("快\n\n(修改) 慢也行");
  });
});

describe("a checklist", () => {
  const checksOf = (list: string): readonly string[] =>
    Goal.parse(`## Goal\nx\n## Checklist\n${list}`).checks;

  test.each([
    ["- a\n* b\n+ c\n• d"],
    ["1. a\n2) b\n3、c\n（4）d"],
    ["- [ ] a\n- [x] b\n- [X] c\n- d"],
    ["a\nb\nc\nd"],
    ["  - a\n  - b\n\n  - c\n  - d"],
    ["All of these must hold:\n\n- a\n- b\n\n### Other\n- c\n**More:**\n- d\n---"],
  ])("loses the marks of its items: %j", (list) => {
    expect(checksOf(list)).toEqual(["a", "b", "c", "d"]);
  });

  test("keeps what belongs to an item with it", () => {
    expect(checksOf("- builds\n  - on Linux\n  - on macOS\n- a long one\ngoes on\n\n  and on")).toEqual([
      "builds - on Linux - on macOS",
      "a long one goes on and on",
    ]);
  });

  test("keeps numbers and marks that are not those of a list", () => {
    expect(checksOf("- 1.5 s at most\n- -1 on error\n- *strong* word\n1.构建通过")).toEqual([
      "1.5 s at most",
      "-1 on error",
      "*strong* word",
      "构建通过",
    ]);
    expect(checksOf("2.0 is printed\n3.x is refused")).toEqual(["2.0 is printed", "3.x is refused"]);
  });

  test.each(["无", "none", "(空)", "（空）", "- (empty)", "-", "- none."])(
    "that says %j is empty",
    (list) => {
      expect(checksOf(list)).toEqual([]);
    },
  );
});

test.each([
  ["x [此环境无法验证:没有显示器]", true],
  ["x【此环境无法验证：没有显示器】", true],
  ["x（此环境无法验证）", true],
  ["x [unverifiable here: no display]", true],
  ["x [Unverifiable here：no display]", true],
  ["x ( unverifiable here )", true],
  ["此环境无法验证 is a word", false],
  ["x [unverifiable hereafter]", false],
  ["x unverifiable here", false],
])("%j is marked unverifiable: %s", (check, marked) => {
  expect(new Goal({ checks: [check] }).unverifiable).toEqual(marked ? [check] : []);
});

describe("the command of a check", () => {
  test.each([
    ["tests pass `run: npm test`", "npm test"],
    ["测试通过 `run: npm test`", "npm test"],
    ["测试通过。`run：npm test`。", "npm test"],
    ["tests pass `Run: npm test`. ", "npm test"],
    ["the file `a` is made by `b` `run: test -f a && test -f b`", "test -f a && test -f b"],
    ["dated ``run: test -f log-`date +%F` ``", "test -f log-`date +%F`"],
    ["`run: grep  'a  b' x`", "grep  'a  b' x"],
  ])("%j is %j", (check, command) => {
    expect(commandOf(check)).toBe(command);
  });

  test.each([
    "",
    "tests pass",
    "tests pass, run: npm test",
    "`run: npm test` must pass",
    "`run: npm test` [unverifiable here: no npm]",
    "tests pass `npm test`",
    "tests pass `run:`",
    "tests pass `run:  `",
    "tests pass `prerun: npm test`",
    "tests pass ``run: npm test`",
    "a `b `run: npm test`",
    "nul `run: a\u0000b`",
    "two lines `run: a\nb`",
    `long ${"x".repeat(10_000)} \`run: true\``,
    "`".repeat(10_000),
  ])("%j has none", (check) => {
    expect(commandOf(check)).toBeUndefined();
  });

  test("property: survives the checklist", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][ -_a-~]{0,30}[a-z]$/), (command) => {
        const checks = Goal.parse(new Goal({ checks: [`x \`run: ${command}\``] }).toMarkdown()).checks;
        expect(checks.map(commandOf)).toEqual([command]);
      }),
    );
  });
});

test("property: a goal that is written and read is the same goal", () => {
  fc.assert(
    fc.property(
      trickyText,
      fc.array(fc.oneof(trickyText, anyUnits), { maxLength: 5 }),
      lang,
      (statement, checks, language) => {
        const goal = new Goal({ statement, checks, lang: language });
        expect(Goal.parse(goal.toMarkdown())).toEqual(goal);
        for (const check of goal.checks) expect(check).not.toMatch(/[\r\n]/);
      },
    ),
    { numRuns: 500 },
  );
});

test("property: parsing never throws", () => {
  fc.assert(
    fc.property(fc.oneof(trickyText, anyUnits), (text) => {
      const goal = Goal.parse(text);
      expect(goal.checks.map(commandOf)).toHaveLength(goal.checks.length);
    }),
  );
});
