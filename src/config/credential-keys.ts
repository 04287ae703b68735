/**
 * The nine keys that say who pays, where requests go and which models answer. Nothing else is ever taken from
 * Claude Code's own settings.
 */
export const CREDENTIAL_KEYS = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "CLAUDE_CODE_SUBAGENT_MODEL",
  "CLAUDE_CODE_EFFORT_LEVEL",
] as const;

export type CredentialKey = (typeof CREDENTIAL_KEYS)[number];

/** One of these two is required: `x-api-key` and `Authorization: Bearer` respectively. */
export const SECRET_KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const;

/** The origin of a key that the process was started with; every other origin is a file's path. */
export const PROCESS_ORIGIN = "process";
