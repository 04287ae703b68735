/**
 * "This role works in its own git worktree": a property of the role, carried by its definition under a symbol.
 * Object spread and `Object.assign` copy it; JSON and structured clones do not see it, so it never reaches the CLI.
 * Registered, so that two copies of this package in one program mean the same mark.
 */
const ISOLATED = Symbol.for("flower-agent.isolated");

/** A copy of a subagent's definition, marked (or, with `flag` false, unmarked). The workspace must be a git repository. */
export function isolated<T extends object>(agent: T, flag = true): T {
  return { ...agent, [ISOLATED]: flag };
}

/** Reads the mark back; false for what was never marked. */
export function wantsIsolation(agent: object | undefined): boolean {
  return agent !== undefined && Reflect.get(agent, ISOLATED) === true;
}
