import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workbenchPaths } from "../../src/workbench/workbench-paths.ts";
import { temporaryDirectory } from "./temporary.ts";

test("the workbench lies in the workspace", () => {
  expect(workbenchPaths("/projects/garden")).toEqual({
    root: "/projects/garden/.flower",
    external: false,
    scripts: "/projects/garden/.flower/scripts",
    artifacts: "/projects/garden/.flower/artifacts",
    notes: "/projects/garden/.flower/notes",
    spill: "/projects/garden/.flower/spill",
    indexPath: "/projects/garden/.flower/INDEX.md",
  });
});

test("with isolated workers it lies beside the workspace, named after it", () => {
  expect(workbenchPaths("/projects/garden/", { isolate: true })).toMatchObject({
    root: "/projects/.flower-garden",
    external: true,
    notes: "/projects/.flower-garden/notes",
  });
});

test("asking where it is writes nothing", () => {
  const parent = temporaryDirectory();
  workbenchPaths(join(parent, "ws"));
  workbenchPaths(join(parent, "ws"), { isolate: true });
  expect(readdirSync(parent)).toEqual([]);
});
