import { FlowerError } from "./errors.ts";

/**
 * Where a test can make flower die: the moments between two things that belong together. What each proves is in
 * docs/architecture/crashes.md, in this order.
 */
export const FAULT_POINTS = [
  "claim/locked",
  "recover/adopted",
  "recover/imported",
  "flight/begun",
  "flight/session",
  "flight/spawning",
  "flight/worker",
  "store/append",
  "store/appended",
  "step/ended",
  "manifest/locked",
  "step/booked",
  "document/kept",
  "document/written",
  "handoff/written",
  "verdict/read",
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** The one that is armed: it lasts as long as the process that it is about. */
let armed: { readonly point: string; left: number; readonly signal: "SIGKILL" | "SIGSTOP" } | undefined;

/**
 * Arms one point in this process. `order` is `<point>`, `<point>@<n>` for its n-th pass, and with `:stop` at the end it
 * stops the process there instead of killing it, for somebody who kills others first. Undefined or empty arms none.
 *
 * Contract: for tests of flower itself, and off unless somebody asks. Throws `base/fault-point` for an order that is none.
 */
export function armFaultPoint(order: string | undefined): void {
  armed = undefined;
  if (order === undefined || order === "") return;
  const found = /^(?<point>[\w/]+)(?:@(?<pass>[1-9]\d*))?(?<stop>:stop)?$/.exec(order)?.groups;
  const point = FAULT_POINTS.find((name) => name === found?.["point"]);
  if (found === undefined || point === undefined) {
    throw new FlowerError("base/fault-point", `there is no fault point "${order}"`, {
      hint: `One of these, with @n for the n-th pass: ${FAULT_POINTS.join(", ")}.`,
    });
  }
  armed = {
    point,
    left: Number(found["pass"] ?? 1),
    signal: found["stop"] === undefined ? "SIGKILL" : "SIGSTOP",
  };
}

/** Passes a point: nothing happens, unless it is armed and this is the pass. */
export function faultPoint(point: FaultPoint): void {
  if (armed?.point !== point) return;
  armed.left -= 1;
  if (armed.left > 0) return;
  const { signal } = armed;
  // One that was only stopped may go on, and passes again.
  armed = undefined;
  process.kill(process.pid, signal);
}
