import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Event } from "../../src/events/event.ts";
import { connect } from "../../src/store/database.ts";
import { reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;
beforeEach(() => {
  world = makeRunWorld();
});
afterEach(() => world.end());

/** Through the real SDK and the real CLI. */
test("a batch that the store rejects is told as an event; the run goes on, and later batches are stored", async () => {
  await world.play([toolCall("Bash", { command: "echo lost-row" }), reply("all done")]);
  const runtime = world.runtime();
  const database = connect(join(runtime.runDir, "sessions.db"));
  database.exec(`CREATE TRIGGER fail BEFORE INSERT ON entries WHEN NEW.payload LIKE '%lost-row%'
    BEGIN SELECT RAISE(ABORT, 'the disk says no'); END`);
  const events: Event[] = [];
  const result = await runtime.run(specOf(), "go", { onEvent: (event) => events.push(event) });
  expect(result).toMatchObject({ ok: true, text: "all done", attempts: 1 });
  const lost = events.filter(({ payload }) => "subtype" in payload && payload.subtype === "mirror_error");
  expect(lost[0]).toMatchObject({ kind: "system", text: expect.stringContaining("the disk says no") });
  const payloads = JSON.stringify(database.all("SELECT payload FROM entries"));
  database.close();
  expect(payloads).toContain("all done");
  expect(payloads).not.toContain("lost-row");
}, 60_000);
