import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatAmendment } from "../../src/documents/amendment.ts";
import { Brief } from "../../src/documents/brief.ts";
import { anyUnits, lang, trickyText } from "./arbitraries.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flower-brief-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const full = { goal: "a parser", accept: "- it parses", bounds: "no network", unknowns: "none" };

describe("a brief", () => {
  test("with four sections is complete, and names in its language those it lacks", () => {
    expect(new Brief(full).complete()).toBe(true);
    expect(new Brief({ goal: "x", bounds: "(not filled)" }).missing()).toEqual([
      "Acceptance criteria",
      "Boundaries",
      "Unknowns and assumptions",
    ]);
    expect(new Brief({ goal: "x", lang: "zh" }).missing()).toEqual(["验收标准", "边界", "未知与假设"]);
    expect(new Brief().missing("zh")).toEqual(["目标", "验收标准", "边界", "未知与假设"]);
    expect(new Brief().complete()).toBe(false);
  });

  test("takes its language from the headings it is read from", () => {
    expect(Brief.parse("## 目标\n甲").lang).toBe("zh");
    expect(Brief.parse("## Goal\na").lang).toBe("en");
    expect(Brief.parse("## 目标\n甲\n## Scope\na\n## 假设\n乙").lang).toBe("zh");
    expect(Brief.parse("nothing").lang).toBe("en");
  });

  test("is written for people", () => {
    expect(new Brief({ goal: "做一个解析器", accept: "- 能解析", lang: "zh" }).toMarkdown()).toBe(
      "# 需求\n\n## 目标\n\n做一个解析器\n\n## 验收标准\n\n- 能解析\n\n## 边界\n\n(未填)\n\n## 未知与假设\n\n(未填)\n",
    );
    expect(new Brief(full).toMarkdown()).toBe(
      "# Brief\n\n## Goal\n\na parser\n\n## Acceptance criteria\n\n- it parses\n\n## Boundaries\n\nno network\n\n## Unknowns and assumptions\n\nnone\n",
    );
  });

  test("escapes what would read as structure, and nothing else", () => {
    const goal = "## 目标\n### other\n```\n\\## Goal\n\\plain\nGoal posts";
    expect(new Brief({ goal }).toMarkdown()).toContain(
      "\\## 目标\n### other\n\\```\n\\\\## Goal\n\\plain\nGoal posts\n",
    );
    expect(Brief.parse(new Brief({ goal }).toMarkdown()).goal).toBe(goal);
  });

  test("is changed by making another one", () => {
    const before = new Brief({ ...full, lang: "zh", path: "/a" });
    const after = before.with({ goal: "another", lang: "en" });
    expect([after.goal, after.accept, after.lang, after.path]).toEqual([
      "another",
      "- it parses",
      "en",
      "/a",
    ]);
    expect([before.goal, before.lang]).toEqual(["a parser", "zh"]);
  });

  test("loads as it was written, and is undefined where there is no file", () => {
    const path = join(directory, "notes", "brief.md");
    expect(Brief.load(path)).toBeUndefined();
    expect(new Brief(full).write(path)).toBe(path);
    expect(Brief.load(path)).toEqual(new Brief({ ...full, path }));
  });

  test("hands itself to a model with where it lies", () => {
    expect(new Brief({ ...full, path: "/w/brief.md" }).promptBlock()).toMatch(
      /^What is to be built\..*\/w\/brief\.md\.\n\n## Goal\n\na parser\n\n## Acceptance/,
    );
    expect(new Brief({ ...full, lang: "zh" }).promptBlock()).toMatch(/^要做的就是.*\n\n## 目标\n\na parser/);
  });

  test("written by hand in the original's form loads", () => {
    const path = join(directory, "需求.md");
    writeFileSync(
      path,
      "# 需求\n\n## 目标\n\n一个命令行的待办工具。\n\n## 验收标准\n\n- `todo add x` 之后 `todo list` 能看到\n- 退出码正确\n\n## 边界\n\n不做图形界面。\n\n## 未知与假设\n\n(未填)\n\n## 运行中补充\n\n再加一个 done 子命令\n\n## 唤醒时追加 (2025-03-01 09:30)\n\n> 输出改成彩色\n",
    );
    const brief = Brief.load(path);
    expect(brief?.goal).toBe("一个命令行的待办工具。");
    expect(brief?.accept).toBe("- `todo add x` 之后 `todo list` 能看到\n- 退出码正确");
    expect(brief?.bounds).toBe("不做图形界面。");
    expect(brief?.missing()).toEqual(["未知与假设"]);
    expect(brief?.amendments).toEqual([
      { label: "运行中补充", text: "再加一个 done 子命令" },
      { label: "唤醒时追加", text: "输出改成彩色", when: "2025-03-01 09:30" },
    ]);
  });
});

describe("an amendment", () => {
  const at = new Date(2025, 0, 31, 14, 3, 59).getTime();

  test("is appended as a dated section with the words quoted", () => {
    expect(formatAmendment({ label: "唤醒时追加", text: "改成彩色\n\n马上", at })).toBe(
      "\n## 唤醒时追加 · 2025-01-31 14:03\n\n> 改成彩色\n>\n> 马上\n",
    );
    expect(formatAmendment({ label: "added on wake", text: " \n", at })).toBe("");
  });

  test("is read back, kept when the brief is written again, and wins over what came before", () => {
    const path = new Brief(full).write(join(directory, "brief.md"));
    appendFileSync(path, formatAmendment({ label: "added during the run", text: "use tabs", at }));
    appendFileSync(path, formatAmendment({ label: "added on wake", text: "no, spaces", at: at + 60_000 }));
    const brief = Brief.load(path);
    expect(brief?.amendments).toEqual([
      { label: "added during the run", text: "use tabs", when: "2025-01-31 14:03" },
      { label: "added on wake", text: "no, spaces", when: "2025-01-31 14:04" },
    ]);
    expect(brief?.unknowns).toBe("none");
    expect(brief?.with({ goal: "b" }).toMarkdown()).toContain(
      "## added during the run · 2025-01-31 14:03\n\n> use tabs\n\n## added on wake · 2025-01-31 14:04\n\n> no, spaces\n",
    );
    expect(brief?.promptBlock()).toMatch(
      /later words win\.\n\n## added during the run .*use tabs.*no, spaces$/s,
    );
    expect(brief?.hasAmendment("use tabs\n")).toBe(true);
    expect(brief?.hasAmendment("use")).toBe(false);
    expect(new Brief(full).promptBlock()).not.toContain("later words win");
  });

  test("cannot be swallowed by a fence that somebody left open in the file", () => {
    const existing = `${new Brief(full).toMarkdown()}\n~~~~\nleft open\n`;
    const text = existing + formatAmendment({ label: "added on wake", text: "stop", at, existing });
    expect(Brief.parse(text).amendments).toEqual([
      { label: "added on wake", text: "stop", when: "2025-01-31 14:03" },
    ]);
  });

  test("in prose that merely begins with a label is none", () => {
    expect(Brief.parse("## 边界\n运行中补充: 见群里\n3. added on wake").bounds).toBe(
      "运行中补充: 见群里\n3. added on wake",
    );
  });

  test("property: whatever the human says survives, and the brief around it stays the same", () => {
    fc.assert(
      fc.property(trickyText, trickyText, anyUnits, lang, (bounds, words, label, language) => {
        const brief = new Brief({ ...full, bounds, lang: language });
        const before = brief.toMarkdown();
        const after = Brief.parse(before + formatAmendment({ label, text: words, at, existing: before }));
        const expected = brief.with({ amendments: [{ label, text: words, when: "2025-01-31 14:03" }] });
        expect(after).toEqual(expected);
      }),
    );
  });
});

test("property: a brief that is written and read is the same brief, in memory and on disk", () => {
  const amendment = fc.record(
    {
      label: fc.oneof(trickyText, fc.constant("运行中补充")),
      text: trickyText,
      when: fc.constant("2024-12-01 08:00"),
    },
    { requiredKeys: ["label", "text"] },
  );
  const fields = fc.record({
    goal: trickyText,
    accept: trickyText,
    bounds: trickyText,
    unknowns: trickyText,
    amendments: fc.array(amendment, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fields, lang, (values, language) => {
      const brief = new Brief({ ...values, lang: language });
      expect(Brief.parse(brief.toMarkdown())).toEqual(brief);
      const path = brief.write(join(directory, "brief.md"));
      expect(Brief.parse(readFileSync(path, "utf8"))).toEqual(brief);
    }),
    { numRuns: 300 },
  );
});

test("property: the prompt block can be read as a brief too", () => {
  fc.assert(
    fc.property(trickyText, trickyText, lang, (goal, unknowns, language) => {
      const brief = new Brief({ ...full, goal, unknowns, lang: language });
      expect(Brief.parse(brief.promptBlock())).toEqual(brief);
    }),
  );
});

test("property: parsing never throws", () => {
  fc.assert(
    fc.property(fc.oneof(trickyText, anyUnits), (text) => {
      expect(Brief.parse(text)).toBeInstanceOf(Brief);
    }),
    { numRuns: 500 },
  );
});
