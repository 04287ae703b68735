import { resolve } from "node:path";
import { realPath } from "../base/real-path.ts";
import { isInside } from "../workbench/is-inside.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { afterTool, type OnGuardError } from "./hook-answers.ts";
import type { HookMatcher } from "./hook-types.ts";
import type { ToolCall } from "./tool-call.ts";

/** The part of a workbench that the index guard needs. */
export type IndexedPlace = Pick<Workbench, "root" | "workspace" | "refresh">;

/**
 * Whatever is written into the workbench is in its index at once, so that the next agent knows of it. Changes
 * nothing about the call.
 */
export function indexGuard(
  workbench: IndexedPlace,
  options: { readonly onError?: OnGuardError | undefined } = {},
): HookMatcher {
  const refresh = (call: ToolCall): undefined => {
    if (writesInto(workbench, call)) workbench.refresh();
  };
  return afterTool(["Write", "Edit"], refresh, options);
}

/** True when the call wrote a file whose real place is inside the workbench. */
export function writesInto(place: Pick<IndexedPlace, "root" | "workspace">, call: ToolCall): boolean {
  const path = call.input.file_path;
  if (typeof path !== "string" || path === "") return false;
  return isInside(realPath(place.root), realPath(resolve(call.cwd ?? place.workspace, path)));
}
