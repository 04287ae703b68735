/**
 * Two steps: work that is sent back until the tests pass, then an account of it from the same session.
 *
 * Run it with credentials in the environment: `npx flower run examples/fix-and-tell.ts:fixAndTell`.
 */
import { spawnSync } from "node:child_process";
import { coordinator, Workflow, worker } from "../src/index.ts";

const lead = coordinator("lead", "Prefer the smallest change.", {
  coder: worker("Changes code and runs the tests", "Run the tests after every change."),
});

export function fixAndTell(): Workflow {
  return new Workflow([
    {
      name: "fix",
      spec: lead,
      prompt: "Make the failing test of this project pass.",
      retries: 2,
      gate: () => spawnSync("npm", ["test"], { stdio: "ignore" }).status === 0,
      onReject: () => "The tests still fail. Look at their output again.",
    },
    { name: "tell", spec: lead, resumeFrom: "fix", prompt: "What was wrong? One paragraph." },
  ]);
}
