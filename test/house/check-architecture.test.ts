import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, temporaryTree } from "./temporary.ts";

/** A house of `count` modules in src/base that import each other in a row, with the rules of this one. */
function house(count: number, more: Readonly<Record<string, string>> = {}): string {
  const modules = Array.from({ length: count }, (_, n) => [
    `src/base/part-${n}.ts`,
    n === 0 ? "export const part0 = 0;\n" : `export { part0 } from "./part-${n - 1}.ts";\n`,
  ]);
  return temporaryTree({
    "package.json": "{}",
    "tsconfig.json": readFileSync(join(ROOT, "tsconfig.json"), "utf8"),
    ".dependency-cruiser.cjs": readFileSync(join(ROOT, ".dependency-cruiser.cjs"), "utf8"),
    ...Object.fromEntries(modules),
    ...more,
  });
}

function check(root: string) {
  return spawnSync(process.execPath, [join(ROOT, "scripts", "check-architecture.mjs"), root], {
    encoding: "utf8",
  });
}

/** What is planted in one house, and what is said of each: starting the tool costs seconds. */
const PLANTS: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    "an import against the direction",
    {
      "src/base/up.ts": 'export { run } from "../cli/run.ts";\n',
      "src/cli/run.ts": "export const run = 1;\n",
    },
    "base-imports-only: src/base/up.ts -> src/cli/run.ts",
  ],
  [
    "a type that comes against the direction",
    {
      "src/base/type-up.ts": 'import type { Kind } from "../cli/kind.ts";\nexport type Up = Kind;\n',
      "src/cli/kind.ts": "export type Kind = 1;\n",
    },
    "base-imports-only: src/base/type-up.ts -> src/cli/kind.ts",
  ],
  [
    "a cycle",
    {
      "src/base/left.ts": 'export { right } from "./right.ts";\nexport const left = 1;\n',
      "src/base/right.ts": 'export { left } from "./left.ts";\nexport const right = 1;\n',
    },
    "no-cycles: src/base/left.ts -> src/base/right.ts -> src/base/left.ts",
  ],
  [
    "a folder without a line in the rules",
    { "src/misc/new.ts": 'export { part0 } from "../base/part-0.ts";\n' },
    "every-folder-has-its-line: src/misc/new.ts -> src/base/part-0.ts",
  ],
  [
    "a library that contains the command",
    {
      "src/index.ts": 'export { show } from "./cli/show.ts";\n',
      "src/cli/show.ts": "export const show = 1;\n",
    },
    "the-library-does-not-contain-the-command: src/index.ts -> src/cli/show.ts",
  ],
];

describe("the architecture check", () => {
  test("passes a house that keeps the direction", () => {
    const { status, stdout } = check(house(25));
    expect(stdout).toBe("25 modules, 24 imports, no violation\n");
    expect(status).toBe(0);
  });

  test("fails when too few modules were read, because then the tool is blind", () => {
    const { status, stderr } = check(house(19));
    expect(stderr).toContain("only 19 modules");
    expect(status).toBe(1);
  });

  let checked: ReturnType<typeof check> | undefined;

  test.each(PLANTS)("fails on %s", (_what, _planted, finding) => {
    checked ??= check(house(25, Object.assign({}, ...PLANTS.map(([, planted]) => planted))));
    expect(checked.stderr.split("\n").filter((line) => line.startsWith(finding))).toHaveLength(1);
    expect(checked.status).toBe(1);
  });
});
