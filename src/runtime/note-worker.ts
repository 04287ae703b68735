import type { Event } from "../events/event.ts";
import type { Flight } from "./in-flight.ts";

/**
 * Keeps account of the subagents that the main thread can go on with: those it has begun that have not reported. One
 * that was cut off has not. One that the model itself has stopped is not to be offered to it again, and one that works
 * for another subagent is that one's to go on with.
 */
export function noteWorker(flight: Pick<Flight, "workerBegan" | "workerReported">, event: Event): void {
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
  if (status === "completed" || status === "failed") flight.workerReported(id);
}

function taskIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("task_id" in input)) return undefined;
  return typeof input.task_id === "string" ? input.task_id : undefined;
}
