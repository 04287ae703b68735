import { expect, test } from "vitest";
import { createDeparture, type Departure } from "../../src/cli/departure.ts";
import { EXIT } from "../../src/cli/signals.ts";

/** A departure, and in order what it did. */
function depart(
  rescue: () => void = () => undefined,
  continuous = true,
): { departure: Departure; done: string[] } {
  const done: string[] = [];
  const departure = createDeparture({
    runtime: {
      lang: "en",
      rescue: () => {
        done.push("books");
        rescue();
      },
    },
    tell: (text) => done.push(text),
    exitAtOnce: (code) => done.push(`exit ${code}`),
    continuous,
  });
  departure.signal.addEventListener("abort", () => done.push("abort"));
  return { departure, done };
}

test("who leaves finds the books written, and is told so afterwards", () => {
  const { departure, done } = depart();
  departure.leave(EXIT.terminated);
  expect(done).toEqual([
    "books",
    "abort",
    "Leaving; the books are written. The same command goes on from here.",
  ]);
  expect(departure.exitCode).toBe(143);
});

test("books that cannot be written do not keep anybody", () => {
  const { departure, done } = depart(() => {
    throw new Error("manifest.json is locked");
  });
  departure.leave(EXIT.interrupted);
  expect(done.slice(0, 2)).toEqual(["books", "abort"]);
  expect(done.slice(2)).toEqual([
    expect.stringContaining("could not be written yet: manifest.json is locked"),
  ]);
});

test("who asks twice leaves at once, but a terminal that hangs up twice is not impatient", () => {
  const { departure, done } = depart();
  departure.leave(EXIT.hungUp);
  departure.leave(EXIT.hungUp);
  expect(done).toHaveLength(3);
  departure.leave(EXIT.interrupted);
  expect(done.slice(3)).toEqual(["exit 129"]);
});

test("nobody is promised that a command goes on which does not", () => {
  const { departure, done } = depart(undefined, false);
  departure.leave(EXIT.interrupted);
  expect(done.at(-1)).toBe("Leaving; the books are written.");
});
