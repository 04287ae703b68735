import { hostname } from "node:os";
import { z } from "zod";
import { processIdentity } from "../agent/processes.ts";

/** A flower process, told apart from every other one that was or will be. */
export const ownerSchema = z.object({
  /** `<pid>:<start time>` (`processIdentity`). */
  process: z.string(),
  /** Name of the machine, or of the container: process ids mean nothing on another one. */
  host: z.string(),
});

export type Owner = z.infer<typeof ownerSchema>;

/** The process that asks. */
export function thisOwner(): Owner {
  return { process: processIdentity(process.pid) ?? `${process.pid}:`, host: hostname() };
}

/** `alive`, `gone`, or `unknown` when it lived on another machine, which cannot be asked. */
export type Liveness = "alive" | "gone" | "unknown";

export function livenessOf(owner: Owner): Liveness {
  if (owner.host !== hostname()) return "unknown";
  return isAlive(owner.process) ? "alive" : "gone";
}

/** Whether the process of a `processIdentity` still is. */
export function isAlive(identity: string): boolean {
  return processIdentity(Number(identity.split(":", 1)[0])) === identity;
}
