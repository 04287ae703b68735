import { connect } from "../../src/store/database.ts";
import { pythonAscii, pythonJson } from "./python-json.ts";

/** A row of the `entries` table. */
export interface StoredRow {
  readonly store_key: string;
  readonly seq: number;
  readonly uid: string | null;
  readonly payload: string;
}

/** Words that only the old conversation holds. */
export const REMEMBERED = {
  plan: "先派 coder 修数量,再派一个把金额改成按分算。",
  firstReport: "结论:数量已经算进去了。证据:npm test 全部通过。",
  cutOffTask: "src/total.js 的金额改成按分计算,补测试,运行 npm test。",
  apiError: "API Error: Can't reach the API server (ENOTFOUND)",
} as const;

/** The subagent that was at work when the original was killed. */
const CUT_OFF_AGENT = "a99a6ce30a5471f44";

/** The original's tables as SPEC 11 has them, written down once more: the fixture must not follow our own schema. */
const TABLES = `
CREATE TABLE entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL,
                      PRIMARY KEY (store_key, seq));
CREATE UNIQUE INDEX entries_uid ON entries(store_key, uid) WHERE uid IS NOT NULL;
CREATE TABLE meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL);
CREATE TABLE summaries (project_key TEXT NOT NULL, session_id TEXT NOT NULL, mtime INTEGER NOT NULL,
                        data TEXT NOT NULL, PRIMARY KEY (project_key, session_id));
`;

/** Of the first row, milliseconds since the epoch. */
const BEGAN_AT = 1_762_000_000_000;

type Entry = Readonly<Record<string, unknown>>;

/** Writes the database of a run that was killed, with a CLI of its time, and returns the rows. */
export function leaveSessions(left: {
  readonly path: string;
  readonly projectKey: string;
  readonly workspace: string;
  readonly steps: Readonly<Record<string, string>>;
  readonly clarifying: boolean;
  readonly unknown: boolean;
}): readonly StoredRow[] {
  const { projectKey, workspace } = left;
  const script = (step: string): Script =>
    new Script({ sessionId: left.steps[step] ?? "", workspace, unknown: left.unknown });
  const transcripts: [key: string, entries: readonly Entry[]][] = [
    [`${left.steps["确认需求"]}`, clarifying(script("确认需求"))],
  ];
  if (!left.clarifying) {
    const { main, agents } = working(script("干活"), () => script("干活"));
    transcripts.push(
      [`${left.steps["设定目标"]}`, settingGoal(script("设定目标"))],
      [`${left.steps["干活"]}`, main],
    );
    for (const [id, entries] of agents)
      transcripts.push([`${left.steps["干活"]}/subagents/agent-${id}`, entries]);
  }
  const database = connect(left.path);
  const rows: StoredRow[] = [];
  try {
    database.exec(TABLES);
    transcripts.forEach(([name, entries], index) => {
      const store_key = `${projectKey}/${name}`;
      const mtime = BEGAN_AT + index;
      entries.forEach((entry, seq) => {
        // Both spellings of what is not ASCII.
        const payload = index % 2 === 0 ? pythonAscii(entry) : pythonJson(entry);
        const uid = typeof entry["uuid"] === "string" ? entry["uuid"] : null;
        rows.push({ store_key, seq, uid, payload });
        database.run("INSERT INTO entries VALUES (?, ?, ?, ?)", [store_key, seq, uid, payload]);
      });
      database.run("INSERT INTO meta VALUES (?, ?, ?)", [store_key, mtime, entries.length]);
      if (name.includes("/")) return;
      const data = pythonJson({ first_prompt: "做一个收银台", created_at: BEGAN_AT, cwd: workspace });
      database.run("INSERT INTO summaries VALUES (?, ?, ?, ?)", [projectKey, name, mtime, data]);
    });
  } finally {
    database.close();
  }
  return rows.sort((a, b) =>
    a.store_key < b.store_key ? -1 : a.store_key > b.store_key ? 1 : a.seq - b.seq,
  );
}

/** Entries of one transcript, each the child of the one before. */
class Script {
  readonly entries: Entry[] = [];
  readonly #of: { readonly sessionId: string; readonly workspace: string; readonly unknown: boolean };
  #parent: string | null = null;
  #agentId: string | undefined;

  constructor(of: { readonly sessionId: string; readonly workspace: string; readonly unknown: boolean }) {
    this.#of = of;
  }

  /** Of a subagent. */
  of(agentId: string): this {
    this.#agentId = agentId;
    return this;
  }

  /** A row outside the chain. */
  plain(type: string, fields: Entry): this {
    this.entries.push({ type, ...fields, sessionId: this.#of.sessionId });
    return this;
  }

  user(content: unknown, more: Entry = {}): this {
    return this.#add("user", { message: { role: "user", content }, ...more });
  }

  /** A result of the call `id`. */
  result(id: string, text: string, more: Entry = {}): this {
    const { is_error, ...fields } = more;
    const content = [
      { tool_use_id: id, type: "tool_result", content: text, ...(is_error ? { is_error } : {}) },
    ];
    return this.user(content, { toolUseResult: text, sourceToolAssistantUUID: this.#parent, ...fields });
  }

  says(content: readonly unknown[], more: { context?: number; model?: string; fields?: Entry } = {}): this {
    const { context = 20_000, model = "claude-opus-4-5-20251101", fields = {} } = more;
    const message = {
      id: `msg_${this.entries.length}_${this.#of.sessionId.slice(0, 8)}`,
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 400,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: context - 400,
        output_tokens: 80,
      },
    };
    return this.#add("assistant", { message, requestId: `req_${this.entries.length}`, ...fields });
  }

  call(name: string, id: string, input: Entry, more: { context?: number } = {}): this {
    return this.says([{ type: "tool_use", id, name, input }], more);
  }

  #add(type: string, fields: Entry): this {
    const count = this.entries.length;
    const agent = (this.#agentId ?? "").slice(-4).padStart(4, "0");
    const uuid = `${this.#of.sessionId.slice(0, 8)}-${agent}-4000-8000-${String(count).padStart(12, "0")}`;
    this.entries.push({
      parentUuid: this.#parent,
      isSidechain: this.#agentId !== undefined,
      ...(this.#agentId === undefined ? {} : { agentId: this.#agentId }),
      userType: "external",
      cwd: this.#of.workspace,
      sessionId: this.#of.sessionId,
      version: "2.1.61",
      gitBranch: "",
      type,
      ...fields,
      uuid,
      timestamp: new Date(BEGAN_AT + count * 1000).toISOString(),
      ...(this.#of.unknown ? { x_future: { kept: ["是", 1] } } : {}),
    });
    this.#parent = uuid;
    return this;
  }
}

function clarifying(script: Script): readonly Entry[] {
  return script
    .user("诉求:收银合计算错了,请修好。")
    .call("mcp__human__ask", "toolu_ask1", { question: "这次修复属于哪个版本?", options: ["1.0.1", "1.1.0"] })
    .result("toolu_ask1", "人的回答:1.0.1")
    .says([{ type: "text", text: "## 目标\n收银合计要把数量算进去。" }]).entries;
}

function settingGoal(script: Script): readonly Entry[] {
  return script
    .user("需求已经冻结,请定目标。")
    .says([{ type: "text", text: "## 目标\n收银合计算得对。\n\n## 判定清单\n- 测试全部通过。" }]).entries;
}

/** The coordinator's session and its subagents, cut off while the second one was at work. */
function working(
  main: Script,
  script: () => Script,
): { main: readonly Entry[]; agents: readonly [string, readonly Entry[]][] } {
  const done = "a4ff0e1ce30e00726";
  main
    .plain("queue-operation", { operation: "enqueue", timestamp: new Date(BEGAN_AT).toISOString() })
    .user("下面是已经冻结的需求和目标。\n\n目标:收银合计要把数量算进去,金额精确到分。")
    .says([{ type: "text", text: REMEMBERED.plan }], { context: 28_700 })
    // A tool that today's CLI does not have any more.
    .call("TodoWrite", "toolu_todo", {
      todos: [{ content: "修数量", status: "in_progress", activeForm: "正在修数量" }],
    })
    .result("toolu_todo", "Todos have been modified successfully.")
    .call("Bash", "toolu_denied", { command: "npm test" })
    .result("toolu_denied", "协调者不直接动手,请用 Agent 派出去。", {
      is_error: true,
      toolDenialKind: "permission-rule",
    })
    .call("Agent", "toolu_first", {
      description: "修数量",
      prompt: "修 src/total.js 的数量。",
      subagent_type: "coder",
    })
    .result("toolu_first", `${REMEMBERED.firstReport}\nagentId: ${done}`, {
      toolUseResult: {
        status: "completed",
        agentId: done,
        content: [{ type: "text", text: REMEMBERED.firstReport }],
        totalTokens: 9000,
        totalToolUseCount: 3,
        totalDurationMs: 40_000,
      },
    })
    .says([{ type: "text", text: REMEMBERED.apiError }], {
      model: "<synthetic>",
      fields: { isApiErrorMessage: true, error: "unknown" },
    })
    .user("刚才被外部原因打断了,接着做。")
    .call(
      "Agent",
      "toolu_second",
      { description: "按分计算", prompt: REMEMBERED.cutOffTask, subagent_type: "coder" },
      { context: 71_400 },
    )
    .plain("last-prompt", { lastPrompt: "刚才被外部原因打断了,接着做。" });
  const first = script()
    .of(done)
    .user("修 src/total.js 的数量。")
    .says([{ type: "text", text: REMEMBERED.firstReport }]);
  const second = script()
    .of(CUT_OFF_AGENT)
    .user(REMEMBERED.cutOffTask)
    .call("Read", "toolu_read", { file_path: "src/total.js" })
    .result("toolu_read", "export const total = (items) => 0;")
    .call("Bash", "toolu_cut", { command: "npm test" });
  return {
    main: main.entries,
    agents: [
      [done, first.entries],
      [CUT_OFF_AGENT, second.entries],
    ],
  };
}
