import type { Lang } from "../lang/lang.ts";
import { STORE_MESSAGES } from "../lang/messages/store.ts";
import type { LoadReport } from "./load-report.ts";
import type { ResolvedTrimPolicy } from "./policies.ts";

/** Rough size of a token in characters; good enough for "about how much was saved" (SPEC 11). */
const CHARS_PER_TOKEN = 4;

/** The part of a `TrimmingSessionStore` that the report reads. */
export interface Trimmed {
  readonly lang: Lang;
  readonly trimPolicy: ResolvedTrimPolicy;
  readonly lastReport: LoadReport;
}

/** One line, in the store's language, about what the last resume expired and trimmed. */
export function trimReport({ lang, trimPolicy, lastReport }: Trimmed): string {
  const say = STORE_MESSAGES[lang];
  const { expired, trimmed, savedChars } = lastReport;
  if (expired === 0 && trimmed === 0) return say.nothingTrimmed;
  const savedTokens = Math.round(savedChars / CHARS_PER_TOKEN);
  return say.trimmed({ expired, trimmed, kept: trimPolicy.keepRecent, savedTokens });
}
