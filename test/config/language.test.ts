import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { detectLang, directoryLang, messageLang } from "../../src/config/language.ts";
import { makeWorld } from "./world.ts";

describe("detectLang", () => {
  test.each([
    [{}, "en"],
    [{ LANG: "zh_CN.UTF-8" }, "zh"],
    [{ LANG: "ZH" }, "zh"],
    [{ LC_ALL: "", LC_MESSAGES: "zh_TW", LANG: "en_US" }, "zh"],
    [{ LC_ALL: "en_US.UTF-8", LANG: "zh_CN" }, "en"],
    [{ FLOWER_LANG: "en", LANG: "zh_CN" }, "en"],
    [{ FLOWER_LANG: " ZH " }, "zh"],
    [{ FLOWER_LANG: "", LANG: "zh_CN" }, "zh"],
  ] as const)("%j speaks %s", (env, lang) => {
    expect(detectLang(env)).toBe(lang);
  });

  test("a FLOWER_LANG that is no language is an error, not English", () => {
    expect(() => detectLang({ FLOWER_LANG: "fr" })).toThrow(
      expect.objectContaining({ code: "config/unknown-language", message: expect.stringContaining("fr") }),
    );
    expect(() => detectLang({ FLOWER_LANG: "fr", LANG: "zh_CN" })).toThrow("FLOWER_LANG 是");
  });

  test("the language to complain in is never an error itself", () => {
    expect(messageLang({ FLOWER_LANG: "fr", LANG: "zh_CN" })).toBe("zh");
    expect(messageLang({ FLOWER_LANG: "en", LANG: "zh_CN" })).toBe("en");
  });
});

describe("directoryLang", () => {
  const chinese = { LANG: "zh_CN.UTF-8" };

  function world() {
    const w = makeWorld();
    const lineagePath = join(w.root, "runs/lineage.json");
    const notes = ["old/notes", "new/notes"].map((d) => join(w.root, d));
    const lang = (explicit?: "zh" | "en", env: Record<string, string> = chinese, anew = false) =>
      directoryLang({ lineagePath, notesDirectories: notes, explicit, env, anew });
    return { ...w, lang };
  }

  test("is what was asked for, in a directory that has none yet", () => {
    expect(world().lang("en")).toBe("en");
  });

  test.each([
    ["its lineage", "runs/lineage.json", '{"lang":"zh"}'],
    ["its brief", "new/notes/需求.md", "x"],
  ])("cannot be asked to change once %s has one, except to begin anew", (_what, path, text) => {
    const { write, lang } = world();
    write(path, text);
    expect(() => lang("en")).toThrow(
      expect.objectContaining({
        code: "config/directory-language",
        message: expect.stringContaining("中文"),
        hint: expect.stringContaining("--new"),
      }),
    );
    expect(lang("zh")).toBe("zh");
    expect(lang("en", chinese, true)).toBe("en");
    expect(lang(undefined, { LANG: "en_US" }, true)).toBe("zh");
  });

  test("is what the lineage says, whatever the locale and the briefs", () => {
    const { write, lang } = world();
    write("runs/lineage.json", '{"lang":"en","steps":{}}');
    write("new/notes/需求.md", "x");
    expect(lang()).toBe("en");
    expect(lang(undefined, { FLOWER_LANG: "nonsense" })).toBe("en");
  });

  test.each(["", "{", "[]", "null", '{"lang":"fr"}', '{"steps":{}}'])(
    "a lineage of %j says nothing",
    (text) => {
      const { write, lang } = world();
      write("runs/lineage.json", text);
      write("new/notes/brief.md", "x");
      expect(lang()).toBe("en");
    },
  );

  test("is that of the brief which is there: a directory of the original is Chinese in any locale", () => {
    const { write, lang } = world();
    write("old/notes/需求.md", "x");
    expect(lang(undefined, { LANG: "en_US" })).toBe("zh");
  });

  test.each([
    ['{"workspace":"/w","steps":{"确认需求":"id"}}', "en_US", "zh"],
    ['{"workspace":"/w","steps":{"mine":"a","work":"id"}}', "zh_CN", "en"],
    ['{"workspace":"/w","steps":{"干活":"id"},"lang":"fr"}', "en_US", "zh"],
    ['{"workspace":"/w","steps":{"mine":"id"}}', "zh_CN", "zh"],
    ['{"workspace":"/w","steps":["确认需求"]}', "en_US", "en"],
  ])(
    "without either is that of the steps in the lineage, as the original left it: %s",
    (text, locale, expected) => {
      const { write, lang } = world();
      write("runs/lineage.json", text);
      expect(lang(undefined, { LANG: locale })).toBe(expected);
      write("new/notes/brief.md", "x");
      expect(lang(undefined, { LANG: locale })).toBe("en");
    },
  );

  test("is that of the newer brief when both languages have one", () => {
    const { write, lang } = world();
    utimesSync(write("old/notes/brief.md", "x"), 1000, 1000);
    utimesSync(write("new/notes/需求.md", "x"), 2000, 2000);
    expect(lang(undefined, { LANG: "en_US" })).toBe("zh");
    utimesSync(join(write("old/notes/brief.md", "x")), 3000, 3000);
    expect(lang()).toBe("en");
  });

  test("is looked for in the environment only when nothing else decides", () => {
    const { write, root } = world();
    const options = {
      lineagePath: write("runs/lineage.json", '{"lang":"zh"}'),
      notesDirectories: [],
      env: () => expect.unreachable(),
    };
    expect(directoryLang(options)).toBe("zh");
    const env = () => ({ FLOWER_LANG: "zh" });
    expect(directoryLang({ ...options, lineagePath: join(root, "absent"), env })).toBe("zh");
  });

  test("is the locale's in an empty directory, and nothing is written", () => {
    const { root, lang } = world();
    expect(lang()).toBe("zh");
    expect(lang(undefined, {})).toBe("en");
    expect(readdirSync(root)).toEqual([]);
  });
});
