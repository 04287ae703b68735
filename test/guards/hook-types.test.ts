import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { expectTypeOf, test } from "vitest";
import type { HookGroups } from "../../src/guards/hook-types.ts";

test("our hook types fit into the SDK's options", () => {
  expectTypeOf<HookGroups>().toExtend<NonNullable<Options["hooks"]>>();
});
