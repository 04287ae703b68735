import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { coordinator } from "../../src/roles/coordinator.ts";
import { worker } from "../../src/roles/worker.ts";
import { isMain, isSubagent, reply, route, toolCall } from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { workbenchPaths } from "../../src/workbench/workbench-paths.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, type RunWorld } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd: world.workspace,
    encoding: "utf8",
  });

test("an isolated worker changes its own worktree, reaches the workbench outside, and the checkout stays as it was", async () => {
  git("init", "--quiet");
  writeFileSync(join(world.workspace, "file.txt"), "original\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "start");
  const root = workbenchPaths(world.workspace, { isolate: true }).root;
  const report = join(root, "artifacts", "till-report.md");
  await world.play(
    route([
      {
        name: "worker",
        when: isSubagent,
        steps: [
          toolCall("Bash", { command: "echo changed > file.txt" }),
          toolCall("Write", { file_path: report, content: "all fine" }),
          reply("done"),
        ],
      },
      {
        name: "main",
        when: isMain,
        steps: [toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" }), reply("done")],
      },
    ]),
  );
  const workbench = new Workbench(world.workspace, { home: root, lang: "en" });
  const spec = coordinator("lead", "", { coder: worker("works", "You work.", { isolate: true }) });
  const result = await world.runtime({ workbench }).run({ ...spec, model: MODEL }, "go");
  expect(result.ok).toBe(true);
  expect(readFileSync(join(world.workspace, "file.txt"), "utf8")).toBe("original\n");
  expect(readFileSync(report, "utf8")).toBe("all fine");
  expect(readFileSync(workbench.indexPath, "utf8")).toContain("till-report.md");
  expect(git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(2);
  expect(git("status", "--porcelain")).toBe("");
});
