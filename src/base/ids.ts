import { randomBytes } from "node:crypto";

/** Source of randomness; injected so that tests can be repeated. Returns lower-case hex. */
export type RandomHex = (bytes: number) => string;

export const randomHex: RandomHex = (bytes) => randomBytes(bytes).toString("hex");

/** `YYYYmmdd-HHMMSS` in local time, as the original names archives and runs. */
export function stamp(epochMs: number): string {
  const t = new Date(epochMs);
  const two = (n: number): string => String(n).padStart(2, "0");
  const date = `${t.getFullYear()}${two(t.getMonth() + 1)}${two(t.getDate())}`;
  return `${date}-${two(t.getHours())}${two(t.getMinutes())}${two(t.getSeconds())}`;
}

/** `YYYYmmdd-HHMMSS-<6 hex>`: sortable by time, and two runs started in the same second still differ. */
export function newRunId(epochMs: number, random: RandomHex = randomHex): string {
  return `${stamp(epochMs)}-${random(3)}`;
}
