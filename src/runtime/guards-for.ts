import type { AgentSpec } from "../agent/spec.ts";
import { READ_TOOLS } from "../agent/tools.ts";
import type { OnGuardError } from "../guards/hook-answers.ts";
import type { HookGroups } from "../guards/hook-types.ts";
import { mergeHooks } from "../guards/merge-hooks.ts";
import { whitelistGuard } from "../guards/whitelist-guard.ts";
import { workbenchHooks } from "../guards/workbench-hooks.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * The hooks of one role: its own, the workbench's, and the wall. A coordinator is walled whether or not there
 * is a workbench; any other role may use hands-on tools only as far as its list says. Whatever a session starts, it
 * waits for, until a human speaks.
 */
export function guardsFor(parts: RuntimeParts, spec: AgentSpec, onError: OnGuardError): HookGroups {
  const delegateOnly = spec.delegateOnly ?? false;
  const workbench = (spec.workbench ?? true) ? parts.workbench : undefined;
  const whitelist = delegateOnly
    ? undefined
    : whitelistGuard(spec.allowedTools ?? READ_TOOLS, { role: spec.name, lang: parts.lang, onError });
  return mergeHooks(
    spec.hooks,
    workbenchHooks(workbench, {
      delegateOnly,
      spillThreshold: parts.spillThreshold,
      agents: spec.agents,
      allowGlance: spec.glance ?? false,
      foreground: true,
      lang: parts.lang,
      onError,
    }),
    whitelist === undefined ? undefined : { PreToolUse: [whitelist] },
  );
}
