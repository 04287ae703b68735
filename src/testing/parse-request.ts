import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { latestText, spokenText, textsOf, toolExchanges } from "./conversation.ts";
import { deepFreeze } from "./deep-freeze.ts";
import type { ModelRequest, RequestKind } from "./model-request.ts";

const blocks = z.array(z.looseObject({ type: z.string() }));
const content = z.union([z.string().transform((text) => [{ type: "text", text }]), blocks]);
const bodySchema = z.object({
  model: z.string(),
  max_tokens: z.number().optional(),
  stream: z.boolean().default(false),
  system: content.default([]),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  messages: z.array(z.object({ role: z.string(), content })),
});

type Body = z.infer<typeof bodySchema>;

/** Throws what zod or `JSON.parse` throw when `text` is no Messages API body. */
export function parseRequest(raw: {
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}): ModelRequest {
  const json: unknown = JSON.parse(raw.text);
  const body = bodySchema.parse(json);
  const system = textsOf(body.system).join("\n");
  const users = body.messages.filter((message) => message.role === "user");
  const headers = flatHeaders(raw.headers);
  const agentId = headers["x-claude-code-agent-id"];
  const prompt = spokenText(users.at(-1));
  return deepFreeze({
    index: raw.index,
    path: raw.path,
    kind: kindOf(raw.path, body, prompt),
    stream: body.stream,
    model: body.model,
    system,
    tools: body.tools.map((tool) => tool.name),
    messages: body.messages,
    prompt,
    firstPrompt: spokenText(users[0]),
    latest: latestText(body.messages),
    toolResults: toolExchanges(body.messages, users.slice(-1)),
    history: () => deepFreeze(toolExchanges(body.messages)),
    agent: agentId !== undefined || system.includes("cc_is_subagent=true") ? "subagent" : "main",
    agentId,
    sessionId: headers["x-claude-code-session-id"],
    ...withoutSecrets(headers),
    body: json,
  });
}

/** Seen with CLI 2.1.332; HARNESS notes 0 and 13.8. */
function kindOf(path: string, body: Body, prompt: string): RequestKind {
  if (isCountTokens(path)) return "count-tokens";
  if (
    body.tools.length === 0 &&
    body.messages.length === 1 &&
    (body.max_tokens ?? Infinity) <= PROBE_TOKENS
  ) {
    return "probe";
  }
  if (prompt.startsWith("CRITICAL: Respond with TEXT ONLY")) return "compaction";
  if (prompt.startsWith("Describe your most recent action in 3-5 words")) return "progress-summary";
  return "turn";
}

/** `setModel` asks for one token; a credential check for sixteen, because thinking models choke on less. */
const PROBE_TOKENS = 16;

export function isCountTokens(path: string): boolean {
  return path.split("?")[0]?.endsWith("/count_tokens") === true;
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

const SECRET_HEADERS = new Set(["authorization", "x-api-key", "cookie", "proxy-authorization"]);

function withoutSecrets(
  headers: Record<string, string>,
): Pick<ModelRequest, "headers" | "credential" | "credentialIs"> {
  const apiKey = headers["x-api-key"];
  const bearer = /^bearer (.*)$/i.exec(headers.authorization ?? "")?.[1];
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.has(name) ? "[credential]" : value,
  ]);
  return {
    headers: Object.fromEntries(shown),
    credential: apiKey !== undefined ? "x-api-key" : bearer !== undefined ? "bearer" : "none",
    credentialIs: (value) => value === (apiKey ?? bearer),
  };
}
