/**
 * The SDK's built-in tools under the names it has for them today, in the groups that roles are made of: the one
 * place that changes when a tool is renamed. Read from `system/init` and from the requests of a real run.
 *
 * What earlier SDKs had, and what stands for it now:
 * TodoWrite -> the four task-list tools. Task -> Agent (still accepted as an alias on the wire). Glob and Grep exist
 * only in a session whose `tools` list names them. Continuing a subagent by its id is new: SendMessage.
 *
 * A session's `tools` list counts for its subagents too: whoever assembles it adds the workers' tools to the role's own.
 */

/** The versions that the names were read from; the table of what each tool does stands there too. */
export { TOOLS_READ_FROM } from "../guards/tools.ts";

/** What became of TodoWrite. */
export const TASK_LIST_TOOLS = ["TaskCreate", "TaskGet", "TaskList", "TaskUpdate"] as const;

/** Hand out work, go on with the same worker, keep a list. Reading and glancing are added by the role. */
export const COORDINATOR_TOOLS = ["Agent", "SendMessage", ...TASK_LIST_TOOLS] as const;

/** Looking at the workspace; nothing here changes it. */
export const READ_TOOLS = ["Read", "Glob", "Grep"] as const;

/** Looking outside. Unlike reading, these ask for permission, and unattended that means a denial. */
export const WEB_TOOLS = ["WebFetch", "WebSearch"] as const;

/** Everything that doing the work takes. */
export const WORKER_TOOLS = ["Read", "Write", "Edit", "Bash", "Glob", "Grep", ...WEB_TOOLS] as const;
