import { type Event, isMainReply } from "../events/event.ts";
import type { Flight } from "./in-flight.ts";

/**
 * Keeps account, from a step's events, of the subagents that the main thread can go on with: those it has begun that
 * have not reported. One that was cut off has not; one that failed has when the main thread answers to it: a connection
 * that both of them lose is no report. One that the model itself has stopped is not to be offered to it again, and one
 * that works for another subagent is that one's to go on with.
 */
export function workerNotes(flight: Pick<Flight, "workerBegan" | "workerReported">): (event: Event) => void {
  const failed = new Set<string>();
  return (event) => {
    if (isMainReply(event)) {
      for (const id of failed) flight.workerReported(id);
      failed.clear();
    }
    if (event.kind === "tool_call" && event.tool === "TaskStop") {
      const id = taskIn(event.payload.input);
      if (id !== undefined) flight.workerReported(id);
      return;
    }
    if (event.kind !== "task") return;
    const { subtype, task_id: id, parent_task_id: above, subagent: role, status } = event.payload;
    if (typeof id !== "string") return;
    if (subtype === "task_started" && typeof role === "string" && above === undefined)
      flight.workerBegan({ id, role });
    if (status === "completed") flight.workerReported(id);
    if (status === "failed") failed.add(id);
  };
}

function taskIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("task_id" in input)) return undefined;
  return typeof input.task_id === "string" ? input.task_id : undefined;
}
