import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runQuery } from "../../src/agent/query.ts";
import { systemClock } from "../../src/base/clock.ts";
import { type CliWorld, makeWorld } from "../support/cli-world.ts";

/**
 * A CLI that answers its first message and takes no further notice of anything: the real one cannot be made to lose a
 * receipt, so this stands in for a version that does.
 */
const DEAF_CLI = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ session_id: "s", uuid: "u", ...message }) + "\\n");
let turns = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "control_request" && message.request.subtype === "initialize")
    say({ type: "control_response", response: { subtype: "success", request_id: message.request_id, response: {} } });
  if (message.type !== "user" || turns > 0) return;
  turns += 1;
  say({ type: "system", subtype: "init" });
  say({ type: "result", subtype: "success", is_error: false, result: "done", num_turns: 1, total_cost_usd: 0 });
  say({ type: "system", subtype: "session_state_changed", state: "idle" });
});
`;

let world: CliWorld;

beforeEach(() => {
  world = makeWorld();
});

afterEach(() => world.cleanup());

test.each(["words", "an interrupt"])(
  "a receipt of %s that never comes holds the query for a minute only",
  async (what) => {
    const path = join(world.dir, "deaf.mjs");
    writeFileSync(path, DEAF_CLI);
    const waits: number[] = [];
    let isTaken = false;
    let said = false;
    const outcome = await runQuery({
      options: { cwd: world.workspace, pathToClaudeCodeExecutable: path, env: { PATH: process.env["PATH"] } },
      prompt: "go",
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          waits.push(ms);
          return systemClock.sleep(Math.min(ms, 50), signal);
        },
      },
      onEvent: ({ kind }, control) => {
        if (kind !== "result" || said) return;
        said = true;
        const words = { text: "And now?", onTaken: () => (isTaken = true) };
        if (what === "words") control.say(words);
        else control.interrupt(words);
      },
    });
    expect(outcome).toMatchObject({ ok: true });
    expect(waits).toContain(60_000);
    expect(isTaken).toBe(false);
  },
  30_000,
);
