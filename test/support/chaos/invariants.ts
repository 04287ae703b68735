import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { RUN_MARKER } from "../../../src/agent/environment.ts";
import { markedProcesses } from "../../../src/agent/processes.ts";
import { projectKey } from "../../../src/agent/project-key.ts";
import { TOTAL_LINES } from "../../../src/cli/demo/shop-files.ts";
import { Brief } from "../../../src/documents/brief.ts";
import { Goal } from "../../../src/documents/goal.ts";
import { CLARIFIER_RULES } from "../../../src/lang/rules/clarifier-rules.ts";
import { readLocalTranscripts } from "../../../src/store/local-transcripts.ts";
import { missingEntries } from "../../../src/store/missing-entries.ts";
import { SqliteSessionStore } from "../../../src/store/sqlite-session-store.ts";
import type { ModelRequest } from "../../../src/testing/index.ts";
import type { ChaosWorld } from "./world.ts";

/** What stood on disk and had been asked when somebody was killed: none of it may be paid for again. */
export interface Death {
  readonly calls: number;
  readonly brief: string | undefined;
  readonly goal: string | undefined;
  /** The session of the work, when there is one to go on in. */
  readonly work: string | undefined;
}

/**
 * Requests that a death may cost: the one in the air and its worker's; the turn that goes on, with a look at what is
 * there; a verdict of two, which is always given by a judge that remembers nothing.
 */
const CALLS_PER_DEATH = 8;
/** Requests of a run that nobody disturbs. */
const CALLS = { shop: 26, handoff: 29 } as const;
/** A round of work has one worker. */
const WORKERS = 2;

const manifestSchema = z.array(
  z.object({
    step: z.string(),
    run: z.string(),
    session_id: z.string().nullable(),
    retired: z.array(z.string()),
    ok: z.boolean(),
    error: z.string().nullable(),
    cost_usd: z.number().nonnegative(),
    started_at: z.number(),
    ended_at: z.number(),
  }),
);
type Row = z.infer<typeof manifestSchema>[number];
const lineageSchema = z.object({ steps: z.record(z.string(), z.string()), asks: z.array(z.string()) });

const read = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined;
const note = (world: ChaosWorld, name: string): string => join(world.shop, ".flower", "notes", name);

export function deathNow(world: ChaosWorld): Death {
  const [brief, goal] = [note(world, "brief.md"), note(world, "goal.md")];
  return {
    calls: world.model.calls.length,
    brief: Brief.load(brief)?.complete() ? read(brief) : undefined,
    goal: Goal.load(goal)?.complete() ? read(goal) : undefined,
    work: lineageOf(world)?.steps["work"],
  };
}

/** What does not hold in the end, one line each. */
export async function brokenInvariants(
  world: ChaosWorld,
  deaths: readonly Death[],
): Promise<readonly string[]> {
  const store = new SqliteSessionStore({ path: join(world.runDir, "sessions.db") });
  try {
    return [
      ...brokenBooks(world),
      ...brokenWork(world),
      ...repeatedWork(world, deaths),
      ...leftThings(world),
      ...(await lostRows(world, store)),
    ];
  } finally {
    store.close();
  }
}

function lineageOf(world: ChaosWorld): z.infer<typeof lineageSchema> | undefined {
  const text = read(join(world.runDir, "lineage.json"));
  return text === undefined ? undefined : lineageSchema.safeParse(JSON.parse(text)).data;
}

function rowsOf(world: ChaosWorld): readonly Row[] {
  return manifestSchema.parse(JSON.parse(read(join(world.runDir, "manifest.json")) ?? "null"));
}

/** A row for all that happened, and the sessions of the three steps. */
function brokenBooks(world: ChaosWorld): string[] {
  const rows = rowsOf(world);
  const booked = new Set(
    rows.flatMap(({ session_id, retired }) => [...(session_id === null ? [] : [session_id]), ...retired]),
  );
  const asked = new Set(world.model.calls.flatMap(({ request }) => request.sessionId ?? []));
  const broken = [...asked]
    .filter((id) => !booked.has(id))
    .map((id) => `session ${id} has no row in the manifest`);
  const last = rows.at(-1);
  if (last?.ok !== true || !last.step.startsWith("work·verdict"))
    broken.push(`the last row is ${JSON.stringify(last)}`);
  for (const row of rows) {
    if (row.ended_at < row.started_at) broken.push(`row ${row.step} ended before it began`);
    if (row.ok === (row.error !== null)) broken.push(`row ${row.step}: ok ${row.ok}, error ${row.error}`);
  }
  const twins = rows.filter((row, at) =>
    rows.some((other, n) => n < at && other.step === row.step && other.started_at === row.started_at),
  );
  broken.push(...twins.map((row) => `row ${row.step} of ${row.started_at} stands there twice`));
  const lineage = lineageOf(world);
  for (const step of ["clarify", "goal", "work"]) {
    const id = lineage?.steps[step];
    if (!rows.some((row) => row.session_id === id && row.step.split("#")[0] === step))
      broken.push(`lineage: ${step} is ${id}`);
  }
  return broken;
}

/** What was ordered is there, once, and it works. */
function brokenWork(world: ChaosWorld): string[] {
  const broken: string[] = [];
  const total = read(join(world.shop, "src/total.js")) ?? "";
  if (!total.includes(TOTAL_LINES.cents)) broken.push("src/total.js does not count in cents");
  const changelog = read(join(world.shop, "CHANGELOG.md")) ?? "";
  if (changelog.split("## 1.0.1").length !== 2) broken.push("CHANGELOG.md does not name the fix once");
  if (Brief.load(note(world, "brief.md"))?.complete() !== true) broken.push("the brief is not whole");
  if (Goal.load(note(world, "goal.md"))?.complete() !== true) broken.push("the goal is not whole");
  try {
    execFileSync("node", ["--test"], { cwd: world.shop, stdio: "pipe" });
  } catch {
    broken.push("the shop's tests fail");
  }
  return broken;
}

function repeatedWork(world: ChaosWorld, deaths: readonly Death[]): string[] {
  const broken: string[] = [];
  const { calls } = world.model;
  const most = CALLS[world.flow] + CALLS_PER_DEATH * deaths.length;
  if (calls.length > most) broken.push(`${calls.length} requests, expected at most ${most}`);
  broken.push(
    ...calls
      .filter(({ answered, reason }) => answered === "unexpected" && !isCut(reason))
      .map(({ reason }) => `an unexpected request: ${reason}`),
  );
  const workers = new Set(calls.flatMap(({ request }) => request.agentId ?? []));
  if (workers.size !== WORKERS)
    broken.push(`${workers.size} workers instead of ${WORKERS}: ${[...workers].join(", ")}`);
  for (const death of deaths) {
    const later = calls.slice(death.calls).map(({ request }) => request);
    if (death.brief !== undefined) {
      if (later.some(isClarifier)) broken.push("the clarifier was asked again when the brief was frozen");
      if (read(note(world, "brief.md")) !== death.brief) broken.push("a frozen brief was changed");
    }
    if (death.goal !== undefined) {
      if (later.some(isGoalSetter)) broken.push("the goal was set again");
      if (read(note(world, "goal.md")) !== death.goal) broken.push("a frozen goal was changed");
    }
    if (death.work !== undefined && world.flow === "shop" && lineageOf(world)?.steps["work"] !== death.work)
      broken.push(`the work did not go on in session ${death.work}`);
  }
  return broken;
}

/** The client went away while the answer was written. */
function isCut(reason: string | undefined): boolean {
  return /EPIPE|ECONNRESET|aborted/.test(reason ?? "");
}

function isClarifier({ system }: ModelRequest): boolean {
  return system.includes(CLARIFIER_RULES.en);
}

function isGoalSetter(request: ModelRequest): boolean {
  return request.history().some(({ input }) => JSON.stringify(input).includes("Look at the environment"));
}

/** Processes, claims, records, locks, half-written files and directories of the SDK. */
function leftThings(world: ChaosWorld): string[] {
  const processes = markedProcesses(RUN_MARKER, world.runDir).map(
    ({ pid, env }) => `process ${pid} of ${env.get("FLOWER_OWNER")}`,
  );
  const files = existsSync(world.runDir)
    ? readdirSync(world.runDir, { recursive: true, encoding: "utf8" })
    : [];
  const own = files.filter((name) => !name.startsWith("claude/"));
  const odd = own.filter((name) => /\.corrupt-|\.lock$|\.json\.\d+$|^in-flight\/./.test(name));
  const scratch = readdirSync(world.scratch).filter((name) => name.startsWith("claude-resume-"));
  const claims: unknown = JSON.parse(read(join(world.runDir, "claims.json")) ?? "{}");
  const held = Object.keys(claims as object).map((step) => `claim of ${step}`);
  return [...processes, ...odd, ...scratch, ...held].map((what) => `left behind: ${what}`);
}

/** What the CLIs wrote for themselves is in the store, every line. */
async function lostRows(world: ChaosWorld, store: SqliteSessionStore): Promise<string[]> {
  const broken: string[] = [];
  for (const { session_id: sessionId } of rowsOf(world)) {
    if (sessionId === null) continue;
    const key = { projectKey: projectKey(world.shop), sessionId };
    for (const local of readLocalTranscripts(join(world.runDir, "claude"), key)) {
      const lost = missingEntries(local.entries, (await store.load(local.key)) ?? []);
      const kinds = [...new Set(lost.map(({ type }) => type))].join(", ");
      if (lost.length > 0)
        broken.push(
          `${lost.length} rows (${kinds}) of ${sessionId} ${local.key.subpath ?? ""} are not in the store`,
        );
    }
  }
  return broken;
}
