import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexGuard, writesInto } from "../../src/guards/index-guard.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { put, temporaryDirectory } from "../workbench/temporary.ts";
import { afterCall, call, run } from "./calls.ts";

test("a file written into the workbench is in the index at once", async () => {
  const bench = new Workbench(temporaryDirectory());
  const path = put(join(bench.scripts, "new.sh"), "# desc: brand new\n");
  const guard = indexGuard(bench);
  expect(guard.matcher).toBe("Write|Edit");
  expect(await run(guard, afterCall("Write", { file_path: path }, {}, { agent_id: "a1" }))).toEqual({});
  expect(readFileSync(bench.indexPath, "utf8")).toContain("brand new");
});

test("only real places inside the workbench count", () => {
  const parent = temporaryDirectory();
  const bench = new Workbench(join(parent, "ws"));
  bench.ensure();
  symlinkSync(bench.notes, join(bench.workspace, "notes-link"));
  mkdirSync(join(parent, "out"));
  symlinkSync(join(parent, "out"), join(bench.notes, "away"));
  const writes = (file_path: unknown, cwd?: string): boolean =>
    writesInto(bench, call("Write", { file_path }, { cwd }));
  expect(writes(join(bench.notes, "a.md"))).toBe(true);
  expect(writes(".flower/notes/a.md")).toBe(true);
  expect(writes(join(bench.workspace, "notes-link", "a.md"))).toBe(true);
  expect(writes(join(bench.notes, "away", "a.md"))).toBe(false);
  expect(writes(join(bench.workspace, "src", "a.ts"))).toBe(false);
  expect(writes(".flower/notes/a.md", parent)).toBe(false);
  expect(writes(undefined)).toBe(false);
});

test("an index that cannot be written does not disturb the call, and is reported", async () => {
  const workspace = temporaryDirectory();
  put(join(workspace, ".flower"), "a file where the workbench should be");
  const errors: unknown[] = [];
  const guard = indexGuard(new Workbench(workspace), { onError: (thrown) => errors.push(thrown) });
  expect(await run(guard, afterCall("Write", { file_path: join(workspace, ".flower") }, {}))).toEqual({});
  expect(errors).toEqual([expect.objectContaining({ code: "files/not-a-directory" })]);
});
