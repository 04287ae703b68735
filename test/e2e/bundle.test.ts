import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CHECKOUT, LIBRARY } from "../support/built-command.ts";

const build = dirname(LIBRARY);
const text = (name: string): string => readFileSync(join(build, name), "utf8");
const { dependencies } = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8")));

/** Names of packages that a file of the bundle imports when it is loaded. */
function imported(name: string): string[] {
  return Array.from(text(name).matchAll(/\bfrom\s*"([^."][^"]*)"/g), ([, id = ""]) => id)
    .filter((id) => !isBuiltin(id))
    .map((id) =>
      id
        .split("/")
        .slice(0, id.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}

describe("the bundle", () => {
  test("imports nothing that is not installed with the package", () => {
    const files = readdirSync(build, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".js"),
    );
    const packages = new Set(files.flatMap(imported));
    expect([...packages].filter((name) => dependencies[name] === undefined)).toEqual([]);
    expect(packages).toContain("@anthropic-ai/claude-agent-sdk");
  });

  test("carries the licence of every library in it", () => {
    const licences = text("third-party-licences.txt");
    for (const name of ["commander", "unbash", "wrap-ansi", "ansi-styles", "zod"])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(licences.match(/Copyright/g)?.length).toBeGreaterThan(8);
    expect(licences).not.toContain("@anthropic-ai");
  });
});
