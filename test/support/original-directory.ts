import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { connect } from "../../src/store/database.ts";
import { leaveSessions, REMEMBERED, type StoredRow } from "./original-sessions.ts";
import { pythonJson } from "./python-json.ts";

/** What the Python original left in a directory, for tests to find again. */
export interface OriginalDirectory {
  readonly workspace: string;
  readonly runDir: string;
  readonly notes: string;
  /** Session ids by step name. */
  readonly steps: Readonly<Record<"确认需求" | "设定目标" | "干活", string>>;
  /** The key under which it filed its sessions. */
  readonly projectKey: string;
  /** Rows of the manifest, as parsed. */
  readonly manifest: readonly unknown[];
  readonly lineage: Readonly<Record<string, unknown>>;
  /** Rows of the database. */
  readonly rows: readonly StoredRow[];
}

export interface OriginalOptions {
  /** Default `<workspace>/runs`; the original's was `runs` below the directory it was started in. */
  readonly runDir?: string;
  /** It was killed while it still asked: no brief yet, no goal, no work. */
  readonly whileClarifying?: boolean;
  /** Fields that no version of ours knows, in its lineage, its manifest and its transcripts. */
  readonly unknownFields?: boolean;
}

const BRIEF = `# 需求

## 目标

收银合计要把数量算进去,金额精确到分。

## 验收标准

- npm test 通过,并且有针对数量的测试。
- 三件单价 0.10 的商品合计正好是 0.3。

## 边界

只动 src/total.js 和它的测试,不加依赖。

## 未知与假设

价格最多两位小数。

## 运行中补充

小票上也要写数量。

## 唤醒时追加

小票要写日期。
`;

const GOAL = `# 目标

## 目标

收银合计算得对:数量算进去,金额精确到分。

## 判定清单

- 测试全部通过。
- 三件单价 0.10 的商品合计正好是 0.3。
- [此环境无法验证:没有打印机] 小票打印出来看得清。
`;

const QUESTIONS = `# 问答记录

## 问 1

这次修复属于哪个版本?

**答**:1.0.1
`;

/**
 * Leaves in `workspace` what the Python original would have left, killed in the middle of the coordinator's step: by
 * SPEC 3, 11, 15 and 17, in its own spelling (Chinese names, no `lang`, its project key, JSON as Python writes it).
 */
export function leaveOriginal(workspace: string, options: OriginalOptions = {}): OriginalDirectory {
  const runDir = options.runDir ?? join(workspace, "runs");
  const notes = join(workspace, ".flower", "notes");
  const clarifying = options.whileClarifying ?? false;
  const unknown = options.unknownFields ?? false;
  mkdirSync(runDir, { recursive: true });
  const steps = {
    确认需求: "601c8c91-6c4b-4525-8a5f-295b99bf9515",
    设定目标: "1f0d7f8a-0c55-4a52-9d3e-7c1b2f60a911",
    干活: "47395075-bec7-466e-80cd-f4d60b360235",
  } as const;
  const projectKey = originalProjectKey(workspace);
  const known = clarifying ? { 确认需求: steps.确认需求 } : steps;
  const lineage = {
    workspace,
    steps: known,
    woke: clarifying ? 0 : 2,
    ...(unknown ? { note: "手写的备注", schema: { version: 3 } } : {}),
  };
  write(join(runDir, "lineage.json"), pythonJson(lineage, { indent: true }));
  const manifest = manifestRows(steps, { clarifying, unknown });
  write(join(runDir, "manifest.json"), pythonJson(manifest, { indent: true }));
  const rows = leaveSessions({
    path: join(runDir, "sessions.db"),
    projectKey,
    workspace,
    steps,
    clarifying,
    unknown,
  });
  write(join(notes, "问答记录.md"), QUESTIONS);
  if (!clarifying) {
    // The goal last: a brief that is newer than it would be read anew.
    write(join(notes, "需求.md"), BRIEF, 1_762_000_000);
    write(join(notes, "目标.md"), GOAL, 1_762_000_600);
  }
  for (const name of ["scripts", "artifacts", "spill"]) mkdirSync(join(workspace, ".flower", name));
  write(join(workspace, ".flower", "scripts", "check.sh"), "# desc: 跑一遍检查\nnpm test\n");
  write(join(workspace, ".flower", "INDEX.md"), "# 工作台\n\n- scripts/check.sh:跑一遍检查\n");
  write(join(workspace, "src", "total.js"), "export const total = (items) => 0;\n");
  return { workspace, runDir, notes, steps, projectKey, manifest, lineage, rows };
}

/** The original's rule: only these three characters are turned (SPEC 4); ours turns every one that is not ASCII. */
function originalProjectKey(workspace: string): string {
  return workspace.replaceAll(/[/_.]/g, "-");
}

function manifestRows(
  steps: OriginalDirectory["steps"],
  { clarifying, unknown }: { clarifying: boolean; unknown: boolean },
): readonly Readonly<Record<string, unknown>>[] {
  const row = (step: string, more: Readonly<Record<string, unknown>>) => ({
    step,
    session_id: null,
    ok: true,
    cost_usd: 0.1875,
    num_turns: 4,
    text: "好了。",
    error: null,
    started_at: 1_762_000_000.25,
    ended_at: 1_762_000_061.5,
    attempts: 1,
    errors: [],
    resumed: false,
    retired: [],
    context: 28_700,
    duration_s: 61.2,
    run: "20251101-122640-a1b2c3",
    ...(unknown ? { model_usage: { "claude-opus-4-5": 3 }, 备注: "手写" } : {}),
    ...more,
  });
  if (clarifying)
    return [row("确认需求", { session_id: steps.确认需求, ok: false, error: "killed-by-signal" })];
  return [
    row("确认需求", { session_id: steps.确认需求 }),
    row("设定目标", { session_id: steps.设定目标 }),
    row("干活", {
      session_id: steps.干活,
      ok: false,
      text: REMEMBERED.plan,
      error: "killed-by-signal",
      attempts: 2,
      errors: [REMEMBERED.apiError],
      resumed: true,
      context: 71_400,
    }),
  ];
}

function write(path: string, text: string, mtimeS?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (mtimeS !== undefined) utimesSync(path, mtimeS, mtimeS);
}

/** Every row that is in a database now. */
export function storedRows(runDir: string): readonly StoredRow[] {
  const database = connect(join(runDir, "sessions.db"));
  try {
    return database.all(
      "SELECT store_key, seq, uid, payload FROM entries ORDER BY store_key, seq",
    ) as StoredRow[];
  } finally {
    database.close();
  }
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
