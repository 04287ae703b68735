/**
 * What each built-in tool of the CLI does when the *main thread* of a session uses it. One table; the guards take
 * their lists from it. It is complete (a test compares it with the SDK's own list), so that turning the walls from
 * "these are denied" to "only these are allowed" means reading it the other way round.
 */

/** The CLI and SDK that the names were read from. */
export const TOOLS_READ_FROM = { cli: "2.1.332", sdk: "0.3.332" } as const;

/**
 * * looks: reads files, the web, or the session's own lists; changes nothing
 * * plans: keeps the session's task list
 * * delegates: starts, continues or stops subagents
 * * talks: says something to the human or the host
 * * works: writes files or runs commands
 * * starts: sets work going outside of flower's books
 * * moves: changes the directory that the session works in
 * * schedules: makes the session go on at a time of its own choosing
 * * publishes: sends something out of this machine
 * * steers: changes the mode or the goal of the session
 */
export type ToolUse =
  | "looks"
  | "plans"
  | "delegates"
  | "talks"
  | "works"
  | "starts"
  | "moves"
  | "schedules"
  | "publishes"
  | "steers";

export interface BuiltinTool {
  readonly name: string;
  readonly use: ToolUse;
  /** Why it is classed so. */
  readonly why: string;
}

export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  { name: "Bash", use: "works", why: "runs any command" },
  { name: "PowerShell", use: "works", why: "runs any command" },
  { name: "Write", use: "works", why: "writes files" },
  { name: "Edit", use: "works", why: "writes files" },
  { name: "NotebookEdit", use: "works", why: "writes files" },
  { name: "Monitor", use: "works", why: "runs a shell command in the background and feeds its lines back" },
  { name: "Skill", use: "works", why: "loads instructions whose embedded shell commands are run" },

  { name: "Workflow", use: "starts", why: "runs a script that starts agents by itself" },
  { name: "RemoteTrigger", use: "starts", why: "creates and runs jobs on a remote service" },

  { name: "EnterWorktree", use: "moves", why: "creates a worktree and moves the session into it" },
  { name: "ExitWorktree", use: "moves", why: "moves the session back, and may delete the worktree" },

  { name: "ScheduleWakeup", use: "schedules", why: "wakes the session after a while" },
  {
    name: "CronCreate",
    use: "schedules",
    why: "puts prompts into the session on a timetable, even a durable one",
  },
  { name: "CronDelete", use: "schedules", why: "changes that timetable" },

  { name: "Artifact", use: "publishes", why: "puts a page on a web service" },
  { name: "ClaudeDesign", use: "publishes", why: "works on documents of a web service" },
  { name: "Projects", use: "publishes", why: "changes projects of a web service" },
  { name: "PushNotification", use: "publishes", why: "sends text to a push service" },
  { name: "SendFeedback", use: "publishes", why: "sends text about the session to the vendor" },
  { name: "SendUserFile", use: "publishes", why: "sends files to a remote client" },
  { name: "ShareOnboardingGuide", use: "publishes", why: "puts a document on a web service" },

  {
    name: "EnterPlanMode",
    use: "steers",
    why: "forbids work until a human approves a plan; unattended, nobody does",
  },
  { name: "ExitPlanMode", use: "steers", why: "waits for a human's approval" },
  { name: "SetGoal", use: "steers", why: "starts the CLI's own goal loop beside ours" },

  { name: "Agent", use: "delegates", why: "starts a subagent" },
  { name: "SendMessage", use: "delegates", why: "continues a subagent" },
  { name: "TaskStop", use: "delegates", why: "stops a subagent that has gone astray; starts nothing" },
  { name: "SubagentHandback", use: "delegates", why: "a subagent's way to report" },

  { name: "TaskCreate", use: "plans", why: "task list" },
  { name: "TaskGet", use: "plans", why: "task list" },
  { name: "TaskList", use: "plans", why: "task list" },
  { name: "TaskUpdate", use: "plans", why: "task list" },
  { name: "TodoWrite", use: "plans", why: "the task list of earlier versions" },

  { name: "Read", use: "looks", why: "reads files" },
  { name: "Glob", use: "looks", why: "finds files" },
  { name: "Grep", use: "looks", why: "searches files" },
  { name: "LSP", use: "looks", why: "asks a language server" },
  { name: "WebFetch", use: "looks", why: "reads a page" },
  { name: "WebSearch", use: "looks", why: "searches the web" },
  { name: "CronList", use: "looks", why: "lists the timetable" },
  { name: "ListAgents", use: "looks", why: "lists subagents" },
  { name: "ListMcpResourcesTool", use: "looks", why: "lists what MCP servers offer" },
  { name: "ReadMcpResourceDirTool", use: "looks", why: "lists what MCP servers offer" },
  { name: "ReadMcpResourceTool", use: "looks", why: "reads what MCP servers offer" },
  { name: "ReadNotifications", use: "looks", why: "reads what has arrived" },
  {
    name: "ToolSearch",
    use: "looks",
    why: "loads the schema of a deferred tool; that tool is guarded itself",
  },
  { name: "WaitForMcpServers", use: "looks", why: "waits until servers are connected" },

  { name: "AskUserQuestion", use: "talks", why: "asks the human; exists only where the host answers it" },
  { name: "EndConversation", use: "talks", why: "a model's way out of an abusive conversation" },
  { name: "OfferChromeSetup", use: "talks", why: "shows an offer on a screen" },
  { name: "ReportFindings", use: "talks", why: "hands structured findings to the host" },
  { name: "SendUserMessage", use: "talks", why: "shows text to the human" },
  { name: "ShowOnboardingRolePicker", use: "talks", why: "shows a dialog on a screen" },
  { name: "propose_skills", use: "talks", why: "shows a proposal on a screen" },
];

/** What a role needs for hands-on work; SPEC 9 names these four. */
export const HANDS_ON_TOOLS = ["Bash", "Write", "Edit", "NotebookEdit"] as const;

/** Outputs that grow: what the spill guard looks at (SPEC 9). */
export const BULKY_TOOLS = ["Bash", "Read", "Grep", "Glob", "WebFetch", "WebSearch"] as const;

const DENIED_USES: ReadonlySet<ToolUse> = new Set<ToolUse>([
  "works",
  "starts",
  "moves",
  "schedules",
  "publishes",
  "steers",
]);

/** What the main thread of a coordinator or of a read-only role does not get: the four hands-on tools and their kin. */
export const DENIED_TOOLS: readonly string[] = BUILTIN_TOOLS.filter((tool) => DENIED_USES.has(tool.use)).map(
  (tool) => tool.name,
);

/** Former names that rules and matchers still accept; hooks are always told the present one. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  Task: "Agent",
  KillShell: "TaskStop",
  KillBash: "TaskStop",
  ListPeers: "ListAgents",
  Brief: "SendUserMessage",
  ListMcpResources: "ListMcpResourcesTool",
  ReadMcpResource: "ReadMcpResourceTool",
  ReadMcpResourceDir: "ReadMcpResourceDirTool",
  ProposeGoal: "SetGoal",
};

/** The present name of the tool that a rule such as `Bash(git *)` or a former name is about. */
export function toolName(rule: string): string {
  const bare = rule.replace(/\(.*$/s, "").trim();
  return Object.hasOwn(FORMER_NAMES, bare) ? (FORMER_NAMES[bare] ?? bare) : bare;
}

/** What a tool does; a name that is not in the table (an MCP tool, a newer CLI's) counts as work. */
export function useOf(tool: string): ToolUse {
  return BUILTIN_TOOLS.find(({ name }) => name === tool)?.use ?? "works";
}
