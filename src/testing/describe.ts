import { firstCodePoints, oneLine } from "../base/text.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptStep } from "./script-step.ts";

const SHORT_CHARS = 60;

/** A call in one line: which one, whose, what about. */
export function describeRequest(request: ModelRequest): string {
  const who = request.agentId === undefined ? request.agent : `${request.agent} ${request.agentId}`;
  const kind = request.kind === "turn" ? "" : ` (${request.kind})`;
  const results = request.toolResults.map((result) => result.tool || "an unknown tool");
  const about = request.prompt === "" && results.length > 0 ? request.firstPrompt : request.prompt;
  const after = results.length > 0 ? `, after ${results.join(", ")}` : "";
  return `call ${request.index + 1}${kind}, ${who}, ${short(about)}${after}`;
}

/** A step in one line. */
export function describeStep(entry: ScriptStep | ((...rest: never[]) => unknown)): string {
  if (typeof entry === "function") return "a responder";
  switch (entry.kind) {
    case "reply": {
      const tools = entry.toolCalls.map((call) => call.name);
      if (tools.length > 0) return `reply calling ${tools.join(", ")}`;
      return `reply ${short(entry.text ?? "")}`;
    }
    case "error":
      return `error ${entry.status} ${entry.type}`;
    case "drop":
      return `drop ${entry.when}`;
    case "stall":
      return `stall ${entry.when}`;
    case "delay":
      return `delay of ${entry.ms} ms, then ${describeStep(entry.step)}`;
  }
}

function short(text: string): string {
  const line = oneLine(text);
  const cut = firstCodePoints(line, SHORT_CHARS);
  return `"${cut}${cut === line ? "" : "…"}"`;
}
