/**
 * A process that appends until it is killed: `node appending-child <database> <session> <first batch>`. Writes
 * `start <n> <size>` before each batch and `done <n>` once it is acknowledged, each before it goes on.
 */
import { writeSync } from "node:fs";
import { errnoOf } from "../../src/base/errors.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";

/** What a line begins with. */
export type Saying = "start" | "done";

const [path = "", sessionId = "", first = "0"] = process.argv.slice(2);
const store = new SqliteSessionStore({ path });
/** The pipe does not block: a reader that is behind is waited for. */
const say = (line: `${Saying} ${string}`): void => {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (thrown) {
      if (errnoOf(thrown) !== "EAGAIN") throw thrown;
    }
  }
};

for (let batch = Number(first); ; batch += 1) {
  const size = 1 + ((batch * 7) % 30);
  const entries = Array.from({ length: size }, (_, at) => ({
    type: "user",
    uuid: `${sessionId}-${batch}-${at}`,
    batch,
    text: "x".repeat(3500),
  }));
  say(`start ${batch} ${size}`);
  await store.append({ projectKey: "-work-project", sessionId }, entries);
  say(`done ${batch}`);
}
