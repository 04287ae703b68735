import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configDirectory, homeDirectory, processEnv, sourceCheckout, valueOf } from "../../src/config/env.ts";
import { makeWorld } from "./world.ts";

describe("processEnv", () => {
  test("is a frozen copy, so that nobody can write the process's environment through it", () => {
    const env = processEnv();
    expect(env).toEqual({ ...process.env });
    expect(env).not.toBe(process.env);
    expect(Object.isFrozen(env)).toBe(true);
  });
});

describe("valueOf", () => {
  test.each(["", "  ", "\t\n"])("takes %j for no value", (blank) => {
    expect(valueOf({ KEY: blank }, "KEY")).toBeUndefined();
  });
  test("gives a value as it is, white space included", () => {
    expect(valueOf({ KEY: " v " }, "KEY")).toBe(" v ");
  });
});

describe("where a person's files lie", () => {
  test("the home directory is HOME, else USERPROFILE, else the system's", () => {
    expect(homeDirectory({ HOME: "/h", USERPROFILE: "/u" })).toBe("/h");
    expect(homeDirectory({ HOME: "", USERPROFILE: "/u" })).toBe("/u");
    expect(homeDirectory({})).toBe(homedir());
  });
  test("XDG_CONFIG_HOME decides when it is absolute", () => {
    expect(configDirectory({ HOME: "/h", XDG_CONFIG_HOME: "/x" })).toBe("/x/flower");
    expect(configDirectory({ HOME: "/h", XDG_CONFIG_HOME: "x" })).toBe("/h/.config/flower");
    expect(configDirectory({ HOME: "/h", XDG_CONFIG_HOME: "" })).toBe("/h/.config/flower");
    expect(configDirectory({}, "/other")).toBe("/other/.config/flower");
  });
});

describe("sourceCheckout", () => {
  test("is the package's root when that is a repository", () => {
    const { root, checkout } = makeWorld();
    mkdirSync(join(checkout, ".git"), { recursive: true });
    expect(sourceCheckout(checkout)).toBe(checkout);
    expect(sourceCheckout(join(root, "elsewhere"))).toBeUndefined();
  });
  test("is nothing for an installed package, even inside somebody's repository", () => {
    const { root } = makeWorld();
    const installed = join(root, "node_modules", "flower-agent");
    mkdirSync(join(installed, ".git"), { recursive: true });
    expect(sourceCheckout(installed)).toBeUndefined();
  });
});
