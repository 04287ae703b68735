export interface ChildEnvironmentOptions {
  /** The CLI's own directory, of this run alone: the SDK mirrors no session when it is not set. */
  readonly configDir: string;
  /** Where programs are looked for, usually the caller's own `PATH`. */
  readonly path: string;
  /** Default: `configDir`. */
  readonly home?: string;
  /** Added last, so that it can also replace. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The key that `env` hands out; it opens nothing. */
export const SCRIPTED_API_KEY = "scripted-model-key";

/**
 * Everything the SDK's child process needs to talk to `baseUrl` and to nobody else. `options.env` of the SDK
 * replaces the child's environment, so nothing of the caller's is inherited.
 */
export function childEnvironment(baseUrl: string, options: ChildEnvironmentOptions): Record<string, string> {
  return {
    PATH: options.path,
    HOME: options.home ?? options.configDir,
    CLAUDE_CONFIG_DIR: options.configDir,
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: SCRIPTED_API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    ...options.extra,
  };
}
