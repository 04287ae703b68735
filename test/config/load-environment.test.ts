import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CREDENTIAL_KEYS, PROCESS_ORIGIN } from "../../src/config/credential-keys.ts";
import { describeNotice } from "../../src/config/notices.ts";
import { makeWorld } from "./world.ts";

/** The places of the lookup behind the process's environment, best first, and how each is written. */
const PLACES = [
  { path: "asked.env", json: false },
  { path: "project/.env", json: false },
  { path: "home/.config/flower/.env", json: false },
  { path: "checkout/.env", json: false },
  { path: "home/.claude/settings.json", json: true },
  { path: "home/.claude/settings.local.json", json: true },
];

describe("the order of the lookup", () => {
  test("every place wins over all that come after it, and the process's environment over all", () => {
    for (let best = 0; best < PLACES.length; best += 1) {
      const world = makeWorld();
      const asked = join(world.root, "asked.env");
      for (const [index, place] of PLACES.entries()) {
        const filled = index >= best;
        const value = `model-${index}`;
        const dotenv = filled ? `ANTHROPIC_MODEL=${value}\n` : "# nothing\n";
        const json = JSON.stringify({ env: filled ? { ANTHROPIC_MODEL: value } : {} });
        world.write(place.path, place.json ? json : dotenv);
      }
      const loaded = world.load({ FLOWER_ENV: asked });
      expect(loaded.env.ANTHROPIC_MODEL).toBe(`model-${best}`);
      expect(loaded.origin.ANTHROPIC_MODEL).toBe(join(world.root, PLACES[best]?.path ?? ""));
      const exported = world.load({ FLOWER_ENV: asked, ANTHROPIC_MODEL: "mine" });
      expect(exported.env.ANTHROPIC_MODEL).toBe("mine");
      expect(exported.origin.ANTHROPIC_MODEL).toBe(PROCESS_ORIGIN);
      expect(loaded.notices).toEqual([]);
    }
  });

  test("is per key: one file may give the endpoint and another the credential", () => {
    const { write, load } = makeWorld();
    write("home/.config/flower/.env", "ANTHROPIC_BASE_URL=https://gateway.example\n");
    const claude = write(
      "home/.claude/settings.json",
      JSON.stringify({ env: { ANTHROPIC_AUTH_TOKEN: "t" } }),
    );
    const { env, origin } = load();
    expect(env).toEqual({ ANTHROPIC_BASE_URL: "https://gateway.example", ANTHROPIC_AUTH_TOKEN: "t" });
    expect(origin.ANTHROPIC_AUTH_TOKEN).toBe(claude);
  });

  test("an empty value claims its key nowhere", () => {
    const { write, load } = makeWorld();
    write("project/.env", "ANTHROPIC_API_KEY=\nANTHROPIC_MODEL=''\n");
    write("home/.config/flower/.env", "ANTHROPIC_API_KEY=real\n");
    const { env, origin } = load({ ANTHROPIC_API_KEY: "", ANTHROPIC_MODEL: " " });
    expect(env).toEqual({ ANTHROPIC_API_KEY: "real", ANTHROPIC_MODEL: " " });
    expect(Object.keys(origin)).toEqual(["ANTHROPIC_API_KEY"]);
  });

  test("XDG_CONFIG_HOME moves the person's file", () => {
    const { root, write, load } = makeWorld();
    write("xdg/flower/.env", "ANTHROPIC_API_KEY=xdg\n");
    write("home/.config/flower/.env", "ANTHROPIC_API_KEY=home\n");
    expect(load({ XDG_CONFIG_HOME: join(root, "xdg") }).env.ANTHROPIC_API_KEY).toBe("xdg");
  });
});

describe("an explicit file", () => {
  test("is the only one that is read", () => {
    const { write, load } = makeWorld();
    const file = write("mine.env", "ANTHROPIC_MODEL=m\n");
    write("project/.env", "ANTHROPIC_API_KEY=k\n");
    write("home/.claude/settings.json", JSON.stringify({ env: { ANTHROPIC_API_KEY: "k" } }));
    expect(load({}, { explicitFile: file }).env).toEqual({ ANTHROPIC_MODEL: "m" });
  });

  test("named by FLOWER_ENV may be relative to the current directory", () => {
    const { write, load } = makeWorld();
    const file = write("project/conf/a.env", "ANTHROPIC_MODEL=m\n");
    expect(load({ FLOWER_ENV: "conf/a.env" }).origin).toEqual({ ANTHROPIC_MODEL: file });
  });

  test("that does not exist is an error naming it", () => {
    const { load, root } = makeWorld();
    const missing = join(root, "nowhere.env");
    const error = expect.objectContaining({
      code: "config/env-file-missing",
      message: expect.stringContaining(missing),
    });
    expect(() => load({ FLOWER_ENV: missing })).toThrow(error);
    expect(() => load({}, { explicitFile: missing })).toThrow(error);
    expect(() => load({ FLOWER_ENV: missing, LANG: "zh_CN" })).toThrow(`环境文件 ${missing} 不存在`);
  });
});

describe("the .env dialect", () => {
  test("knows export, comments, quotes and several lines, and expands nothing", () => {
    const { write, load } = makeWorld();
    write(
      "project/.env",
      '\ufeff# comment\nexport A="x\\ny"\nB=\'two\nlines\'\nC=bare # comment\nD="with # inside"\r\nE=$HOME\nF: colon\n',
    );
    const { env } = load();
    expect(env).toEqual({
      A: "x\ny",
      B: "two\nlines",
      C: "bare",
      D: "with # inside",
      E: "$HOME",
      F: "colon",
    });
  });

  test("a key named like a prototype's is a key like any other", () => {
    const { write, load } = makeWorld();
    write("project/.env", "constructor=c\ntoString=t\n");
    const { env } = load();
    expect(Object.entries(env)).toEqual([
      ["constructor", "c"],
      ["toString", "t"],
    ]);
    expect(Object.getPrototypeOf(env)).toBe(Object.prototype);
  });
});

describe("Claude Code's settings", () => {
  test("give the nine keys and nothing else", () => {
    const { write, load } = makeWorld();
    const all = Object.fromEntries(CREDENTIAL_KEYS.map((key) => [key, `v-${key}`]));
    write(
      "home/.claude/settings.json",
      JSON.stringify({ env: { ...all, PATH: "/evil" }, hooks: {}, model: "x" }),
    );
    expect(load().env).toEqual(all);
    expect(CREDENTIAL_KEYS).toHaveLength(9);
  });

  test("give only strings", () => {
    const { write, load } = makeWorld();
    write(
      "home/.claude/settings.json",
      JSON.stringify({ env: { ANTHROPIC_MODEL: 4, ANTHROPIC_API_KEY: ["k"] } }),
    );
    expect(load().env).toEqual({});
  });
});

describe("files that cannot be used", () => {
  test("become notices, and the next place is asked", () => {
    const { write, load, cwd } = makeWorld();
    mkdirSync(join(cwd, ".env"), { recursive: true });
    const utf16 = write("checkout/.env", Buffer.from("\ufeffANTHROPIC_API_KEY=k\n", "utf16le"));
    const settings = write("home/.claude/settings.json", "{ not json");
    const other = write("home/.claude/settings.local.json", JSON.stringify({ env: "text" }));
    write("home/.config/flower/.env", "ANTHROPIC_API_KEY=k\n");
    const { env, notices } = load();
    expect(env).toEqual({ ANTHROPIC_API_KEY: "k" });
    expect(notices.map(({ kind, path }) => [kind, path])).toEqual([
      ["unreadable", join(cwd, ".env")],
      ["broken", utf16],
      ["broken", settings],
      ["broken", other],
    ]);
    for (const notice of notices) expect(describeNotice(notice, "zh")).toContain(notice.path);
  });

  test("a file with text and no setting is noticed, an empty or commented one is not", () => {
    const { write, load } = makeWorld();
    write("project/.env", "just some words\n");
    write("checkout/.env", "# later\n\n");
    expect(load().notices).toEqual([
      expect.objectContaining({ kind: "broken", detail: expect.stringContaining("KEY=value") }),
    ]);
  });
});

describe("an endpoint chosen by the project", () => {
  test("is noticed when the credential that would be sent there is not the project's own", () => {
    const { write, load } = makeWorld();
    const project = write("project/.env", "ANTHROPIC_BASE_URL=https://elsewhere.example\n");
    const own = write("home/.config/flower/.env", "ANTHROPIC_API_KEY=k\n");
    expect(load().notices).toEqual([{ kind: "endpoint-from-elsewhere", path: project, detail: own }]);
    const [notice] = load({ ANTHROPIC_API_KEY: "k" }).notices;
    expect(notice && describeNotice(notice, "en")).toContain("the process environment");
  });

  test("is not noticed when both come from one place, or the endpoint is the person's own", () => {
    const { write, load } = makeWorld();
    write("project/.env", "ANTHROPIC_BASE_URL=https://a.example\nANTHROPIC_API_KEY=k\n");
    expect(load().notices).toEqual([]);
    expect(load({ ANTHROPIC_BASE_URL: "https://mine.example" }).notices).toEqual([]);
  });
});

describe("what is left alone", () => {
  test("neither the given environment nor the process's own is written", () => {
    const { write, load } = makeWorld();
    write("project/.env", "FLOWER_TEST_UNHEARD_OF=1\n");
    const env = { A: "1" };
    const before = { ...process.env };
    expect(load(env).env).toEqual({ A: "1", FLOWER_TEST_UNHEARD_OF: "1" });
    expect(env).toEqual({ A: "1" });
    expect({ ...process.env }).toEqual(before);
  });

  test("no bytes in a file can make loading throw", () => {
    const { write, load } = makeWorld();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, text) => {
        write("project/.env", Buffer.from(bytes));
        write("home/.claude/settings.json", text);
        const { env } = load({ KEEP: "me" });
        expect(env.KEEP).toBe("me");
      }),
      { numRuns: 60 },
    );
  });
});
