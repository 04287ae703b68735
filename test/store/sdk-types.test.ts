import type * as Sdk from "@anthropic-ai/claude-agent-sdk";
import { expectTypeOf, test } from "vitest";
import type { PruningSessionStore } from "../../src/store/pruning-session-store.ts";
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "../../src/store/types.ts";

// Checked by tsc: a new SDK whose contract has moved fails the type check here, not somewhere in a run.
test("our structural types fit the SDK's", () => {
  expectTypeOf<SessionStore>().toExtend<Sdk.SessionStore>();
  expectTypeOf<PruningSessionStore>().toExtend<Sdk.SessionStore>();
  expectTypeOf<Sdk.SessionKey>().toExtend<SessionKey>();
  expectTypeOf<SessionKey>().toExtend<Sdk.SessionKey>();
  expectTypeOf<SessionStoreEntry>().toEqualTypeOf<Sdk.SessionStoreEntry>();
  expectTypeOf<SessionSummaryEntry>().toEqualTypeOf<Sdk.SessionSummaryEntry>();
});
