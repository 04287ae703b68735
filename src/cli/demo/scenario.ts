import { join } from "node:path";
import type { Lang } from "../../lang/lang.ts";
import { PROMPTS } from "../../lang/prompts.ts";
import { CLARIFIER_RULES } from "../../lang/rules/clarifier-rules.ts";
import { COORDINATOR_RULES } from "../../lang/rules/coordinator-rules.ts";
import { JUDGE_RULES } from "../../lang/rules/judge-rules.ts";
import {
  type ModelRequest,
  promptIncludes,
  type Responder,
  reply,
  type ScriptStep,
  type ToolExchange,
  toolCall,
} from "../../testing/index.ts";
import { CENTS_COMMAND, CENTS_TEST, QUANTITY_TEST, TOTAL_LINES } from "./shop-files.ts";
import { STORIES, versionIn, versionSpokenOf } from "./story.ts";

/** Where the shop lies, for the tools that want absolute paths. */
export interface Scene {
  readonly lang: Lang;
  readonly workspace: string;
  /** The workbench's directory for long output. */
  readonly artifacts: string;
}

/**
 * The demo's model. It decides from each request alone and keeps no state of its own: a demo that was killed
 * goes on with a new model as if nothing had happened. What the checks find is found for real: the verdict is
 * made from the results of the commands that the judge ran.
 */
export function demoScenario(scene: Scene): Responder {
  const { lang } = scene;
  return (request) => {
    if (request.agent === "subagent") return workerTurn(request, scene);
    if (request.system.includes(COORDINATOR_RULES[lang])) return coordinatorTurn(request, scene);
    if (request.system.includes(CLARIFIER_RULES[lang])) return clarifierTurn(request, scene);
    if (!request.system.includes(JUDGE_RULES[lang])) return undefined;
    const goalSetting = request.firstPrompt.startsWith(firstLine(PROMPTS[lang].goalPrompt({ brief: "" })));
    return goalSetting ? goalTurn(request, scene) : verdictTurn(request, scene);
  };
}

function clarifierTurn(request: ModelRequest, { lang, workspace }: Scene): ScriptStep {
  const story = STORIES[lang];
  const answer = resultOf(request, "mcp__human__ask");
  if (answer !== undefined)
    return reply({ text: story.brief(versionIn(answer.text, story)), usage: usage(request) });
  if (resultOf(request, "Read") === undefined) {
    return toolCall("Read", { file_path: join(workspace, "BUG.md") }, { usage: usage(request) });
  }
  return toolCall(
    "mcp__human__ask",
    { question: story.question, options: [...story.options] },
    { usage: usage(request) },
  );
}

function goalTurn(request: ModelRequest, { lang }: Scene): ScriptStep {
  const story = STORIES[lang];
  if (resultOf(request, "Bash") === undefined) {
    const look = { command: "node --version && ls", description: "Look at the environment" };
    return toolCall("Bash", look, { text: story.lookAround, usage: usage(request) });
  }
  return reply({ text: story.goal(versionSpokenOf(request.firstPrompt, story)), usage: usage(request) });
}

function coordinatorTurn(request: ModelRequest, { lang, workspace, artifacts }: Scene): ScriptStep {
  const story = STORIES[lang];
  const tried = request.history().some(({ tool, isError }) => tool === "Write" && isError);
  if (!tried) {
    const call = { file_path: join(workspace, "test", "quantity.test.js"), content: QUANTITY_TEST };
    return toolCall("Write", call, { text: story.tempted, usage: usage(request) });
  }
  const round = promptIncludes(story.failedMark)(request) ? 2 : 1;
  const cutOff = unfinishedIn(request, lang);
  if (cutOff !== undefined) {
    const call = { to: cutOff, summary: story.goOnSummary, message: story.goOn };
    return toolCall("SendMessage", call, { text: story.goesOn, usage: usage(request) });
  }
  if (workersIn(request).size >= round) {
    const woken = request.prompt !== "";
    return reply({ text: woken ? story.coordinatorWoken : story.coordinatorDone, usage: usage(request) });
  }
  const task = {
    description: round === 1 ? "Mend the total" : "Mend the cents",
    prompt: story.task(round, versionSpokenOf(request.firstPrompt, story), artifacts),
    subagent_type: "coder",
  };
  return toolCall("Agent", task, { text: story.delegated(round), usage: usage(request) });
}

function workerTurn(request: ModelRequest, { lang, workspace }: Scene): ScriptStep {
  const story = STORIES[lang];
  const round = request.firstPrompt.includes(story.secondRound) ? 2 : 1;
  const source = join(workspace, "src", "total.js");
  const changelog = join(workspace, "CHANGELOG.md");
  const version = versionSpokenOf(request.firstPrompt, story);
  const test =
    round === 1 ? { name: "quantity", content: QUANTITY_TEST } : { name: "cents", content: CENTS_TEST };
  const calls: readonly WorkerCall[] = [
    { tool: "Read", input: { file_path: source } },
    { tool: "Edit", input: { file_path: source, ...editOf(round) } },
    {
      tool: "Write",
      input: { file_path: join(workspace, "test", `${test.name}.test.js`), content: test.content },
    },
    ...(round === 1
      ? [
          { tool: "Read", input: { file_path: changelog } },
          { tool: "Write", input: { file_path: changelog, content: story.changelog(version) } },
        ]
      : []),
    { tool: "Bash", input: { command: "npm test", description: "Run the tests" } },
  ];
  const next = unreadOf(request) ?? calls.find((call) => !isDone(request, call));
  if (next !== undefined) return toolCall(next.tool, next.input, { usage: usage(request) });
  return reply({
    text: story.report(round, testSummary(resultOf(request, "Bash")?.text ?? "")),
    usage: usage(request),
  });
}

/** The workers that the coordinator has sent to work, by id; one that was cut off and gone on with is still one. */
function workersIn(request: ModelRequest): ReadonlySet<unknown> {
  const sent = request
    .history()
    .filter(({ tool, isError }) => (tool === "Agent" || tool === "SendMessage") && !isError)
    // Of one that cannot be gone on with the CLI says so, and does not call that an error (2.1.332).
    .filter(({ text }) => !text.includes('"success":false'));
  return new Set(
    sent.map(({ id, input, text }) => addresseeOf(input) ?? /agentId: (\w+)/.exec(text)?.[1] ?? id),
  );
}

function addresseeOf(input: unknown): unknown {
  return typeof input === "object" && input !== null && "to" in input ? input.to : undefined;
}

/** The worker that was cut off, when flower has just named one. */
function unfinishedIn({ prompt }: ModelRequest, lang: Lang): string | undefined {
  const at = prompt.indexOf(firstLine(PROMPTS[lang].unfinishedWorkers({ workers: [] })));
  return at < 0 ? undefined : /^- coder[:：]\s*(\S+)$/m.exec(prompt.slice(at))?.[1];
}

interface WorkerCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A worker that is gone on with in a new process has to read again what it is about to change (CLI 2.1.332). */
function unreadOf(request: ModelRequest): WorkerCall | undefined {
  const last = request.history().at(-1);
  const path = last?.isError && last.text.includes("not been read") ? subjectOf(last.input) : undefined;
  return path === undefined ? undefined : { tool: "Read", input: { file_path: path } };
}

/** Also what was done in the moment that cut it off: the change is in the file, and cannot be made twice. */
function isDone(request: ModelRequest, { tool, input }: WorkerCall): boolean {
  const tries = request
    .history()
    .filter((call) => call.tool === tool && subjectOf(call.input) === subjectOf(input));
  const hasWorked = tries.some(({ isError, text }) => !isError || /^Exit code|not found in file/.test(text));
  return hasWorked || tries.length >= WORKER_TRIES;
}

/** Something is wrong that the script does not know; the tests will say so. */
const WORKER_TRIES = 12;

function editOf(round: number): { old_string: string; new_string: string } {
  return round === 1
    ? { old_string: TOTAL_LINES.broken, new_string: TOTAL_LINES.quantities }
    : { old_string: TOTAL_LINES.quantities, new_string: TOTAL_LINES.cents };
}

function verdictTurn(request: ModelRequest, { lang, workspace }: Scene): ScriptStep {
  const story = STORIES[lang];
  const checks = [
    { name: "Bash", input: { command: "npm test", description: "Run the tests" } },
    { name: "Bash", input: { command: CENTS_COMMAND, description: "Count three pieces" } },
    { name: "Read", input: { file_path: join(workspace, "CHANGELOG.md") } },
  ] as const;
  const [tests, cents, changelog] = checks.map((check) => evidenceOf(request, check));
  if (tests === undefined || cents === undefined || changelog === undefined) {
    const open = checks.filter((check) => evidenceOf(request, check) === undefined);
    return reply({ text: story.judging, toolCalls: open, usage: usage(request) });
  }
  const version = versionSpokenOf(request.firstPrompt, story);
  const [testsName, centsName, changelogName] = story.checkNames;
  const failed = [
    ...(tests.isError ? [`${testsName}; ${story.failedMark} ${testSummary(tests.text)}`] : []),
    ...(cents.isError ? [`${centsName}; ${story.failedMark} ${amountIn(cents.text)}`] : []),
    ...(changelog.text.includes(version) ? [] : [`${changelogName}; ${story.failedMark} -`]),
  ];
  return reply({ text: story.verdict(failed), usage: usage(request) });
}

/** What a check has shown; a call that was broken off or refused has shown nothing. */
function evidenceOf(request: ModelRequest, check: { name: string; input: object }): ToolExchange | undefined {
  const wanted = JSON.stringify(subjectOf(check.input));
  return request
    .history()
    .findLast(
      ({ tool, input, isError, text }) =>
        tool === check.name &&
        JSON.stringify(subjectOf(input)) === wanted &&
        (!isError || text.startsWith("Exit code")),
    );
}

function subjectOf(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return undefined;
  if ("command" in input) return input.command;
  return "file_path" in input ? input.file_path : undefined;
}

/** The newest result of a tool, wherever it is in the conversation. */
function resultOf(request: ModelRequest, tool: string): { text: string; isError: boolean } | undefined {
  return request.history().findLast((exchange) => exchange.tool === tool);
}

/** `pass 3, fail 0` out of what `node --test` prints. */
function testSummary(output: string): string {
  const count = (name: string): string => new RegExp(`${name} (\\d+)`).exec(output)?.[1] ?? "?";
  return `pass ${count("pass")}, fail ${count("fail")}`;
}

function amountIn(output: string): string {
  return /\d+\.\d+/.exec(output)?.[0] ?? "?";
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** A tenth of the request's characters are fresh tokens, the rest came from the cache: the shape of real runs. */
function usage(request: ModelRequest): {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
} {
  const tokens = Math.round(JSON.stringify(request.body).length / 4);
  const fresh = Math.round(tokens / 10);
  return { input: fresh, output: 120, cacheRead: tokens - fresh, cacheWrite: 0 };
}
