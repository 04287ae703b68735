import { processEnv } from "../config/env.ts";
import type { Event, EventOf } from "../events/event.ts";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { HUMAN_MESSAGES } from "../lang/messages/human.ts";
import { type Icon, type LineOptions, Lines } from "./lines.ts";
import { shownPath } from "./shown-path.ts";
import { isInteractive, type Terminal } from "./terminal.ts";

export interface RenderOptions extends LineOptions {
  readonly lang: Lang;
  /** Also thinking, prompts, tool results and the CLI's own system messages. */
  readonly verbose: boolean;
  /** Somebody is there to answer: a question comes with how to do it. */
  readonly answerable: boolean;
}

/** How lines look in front of this terminal. */
export function renderOptionsFor(terminal: Terminal, lang: Lang, verbose: boolean): RenderOptions {
  const env = processEnv();
  const colors = terminal.output.isTTY === true && env["NO_COLOR"] === undefined && env["TERM"] !== "dumb";
  const width = lineWidth(terminal.output.columns);
  return { lang, width, colors, verbose, answerable: isInteractive(terminal) };
}

/** Narrower than this nothing can be read, wider and the eye loses the line (SPEC 17). */
export function lineWidth(columns: number | undefined): number {
  return Math.max(40, Math.min(columns ?? 80, 110));
}

/** `$0.1234`: four decimals, because a single turn often costs less than a cent. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(4)}`;
}

/**
 * The lines that an event is worth, empty for one that only a log needs. Everything a model, a tool or a human
 * said is stripped of control sequences first; the only escape codes in a line are our colours.
 */
export function renderEvent(event: Event, options: RenderOptions): string[] {
  const say = cliMessages[options.lang];
  const lines = new Lines(options, depthOf(event));
  switch (event.kind) {
    case "text":
      return lines.block("text", event.text);
    case "thinking":
      return options.verbose ? lines.block("thinking", event.text, "dim") : [];
    case "tool_call":
      return lines.one("call", `${event.tool} ${event.text}`, "cyan");
    case "tool_result":
      if (event.payload.is_error) return lines.few("failed", event.text, "red");
      return options.verbose ? lines.one("system", event.text, "dim") : [];
    case "prompt":
      return options.verbose ? lines.one("system", event.text, "dim") : [];
    case "task":
      return taskLines(event, lines, options);
    case "system":
      if (isForPeople(event)) return [lines.whole("system", event.text)];
      return options.verbose ? lines.one("system", event.text, "dim") : [];
    case "reset":
      return lines.one("system", say.contextReset, "yellow");
    case "result":
      return [];
    case "error":
      return lines.few("error", event.text, "red");
    case "retry":
      return lines.few("error", retryText(event, options.lang), "yellow");
    case "handoff":
      return event.payload.phase === "done"
        ? [lines.whole("handoff", handoffText(event, options.lang), "magenta")]
        : lines.one("handoff", handoffText(event, options.lang), "magenta");
    case "step":
      return lines.one("step", stepText(event, options.lang), "bold");
    case "ask":
      return askLines(event, lines, options);
    case "unknown":
      return [];
  }
}

/** Prose of flower's own, wrapped at the width. */
export function renderProse(icon: Icon, text: string, options: RenderOptions): string[] {
  return new Lines(options, 0).block(icon, text);
}

/** One line of flower's own, never broken: it may hold a path. */
export function renderNote(icon: Icon, text: string, options: RenderOptions): string {
  return new Lines(options, 0).whole(icon, text);
}

/** What flower itself has to tell, and what endangers the books; the CLI's own messages are for `--verbose`. */
function isForPeople({ payload }: EventOf<"system">): boolean {
  return ["notice", "guard_failed", "mirror_error", "model_differs", "judged_changed", "check_run"].includes(
    String(payload["subtype"]),
  );
}

function depthOf(event: Event): number {
  return "parent_tool_use_id" in event.payload && event.payload.parent_tool_use_id !== undefined ? 1 : 0;
}

function taskLines(event: EventOf<"task">, lines: Lines, options: RenderOptions): string[] {
  const { subtype } = event.payload;
  if (subtype === "task_progress" || subtype === "task_updated") {
    return options.verbose ? lines.one("task", event.text, "dim") : [];
  }
  const who = typeof event.payload["subagent"] === "string" ? `${event.payload["subagent"]}: ` : "";
  return lines.one("task", `${who}${event.text}`, "blue");
}

function askLines(event: EventOf<"ask">, lines: Lines, options: RenderOptions): string[] {
  const say = cliMessages[options.lang];
  const { kind, state, options: choices, answer } = event.payload;
  if (kind === "mail")
    return lines.one("ask", state === "queued" ? say.mailQueued : say.mailDelivered, "green");
  if (state === "asked") {
    return [
      ...lines.block("ask", event.text, "green"),
      ...choices.flatMap((choice, index) => lines.one("ask", `${index + 1}. ${choice}`, "green")),
      ...(options.answerable ? lines.one("ask", say.answerHint, "dim") : []),
    ];
  }
  if (state === "answered") return lines.one("ask", `${say.answered}: ${answer ?? ""}`, "green");
  const states: Readonly<Record<string, string>> = HUMAN_MESSAGES[options.lang].states;
  return lines.one("ask", say.questionEnds(states[state] ?? state), "yellow");
}

function retryText(event: EventOf<"retry">, lang: Lang): string {
  const say = cliMessages[lang];
  const { phase, attempt, max_attempts, wait_ms, error } = event.payload;
  // The gateway's own words say how long and until when; there is no number of attempts to them.
  if (max_attempts === null) return event.text;
  const seconds = Math.ceil((wait_ms ?? 0) / 1000);
  switch (phase) {
    case "lost":
      return event.text === "" ? say.retryLost : event.text;
    case "online":
      return event.text === "" ? say.retryOnline : event.text;
    case "gave_up":
      return event.text;
    case "backoff":
      return `${say.retryBackoff(attempt, max_attempts, seconds)} · ${error}`;
    case "cli":
      return `${say.retryCli(attempt, max_attempts, seconds)} · ${error}`;
  }
}

function handoffText(event: EventOf<"handoff">, lang: Lang): string {
  const say = cliMessages[lang];
  const { phase, context, window, degraded, path } = event.payload;
  switch (phase) {
    case "near":
      return say.handoffNear(context, window);
    case "writing":
      return say.handoffWriting;
    case "done":
      return (degraded ? say.handoffDegraded : say.handoffDone)(shownPath(path ?? ""));
  }
}

function stepText(event: EventOf<"step">, lang: Lang): string {
  const say = cliMessages[lang];
  const { index, total, resumed } = event.payload;
  return `${say.stepBegins(event.text, index + 1, total)}${resumed ? ` · ${say.stepResumed}` : ""}`;
}
