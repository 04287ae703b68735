import { systemClock } from "../base/clock.ts";
import { readTextIfExists } from "../base/files.ts";
import { joinParagraphs } from "../base/text.ts";
import { Brief } from "../documents/brief.ts";
import { replaceDocument } from "../documents/replace-document.ts";
import type { HumanChannel } from "../human/human-channel.ts";
import { NAMES } from "../lang/names.ts";
import { CLARIFY_RESUME as CLARIFY_RESUME_TEXT, PROMPTS } from "../lang/prompts.ts";
import { type ClarifyOptions, clarify } from "../roles/clarify.ts";
import { BRIEF_KEY, type Context, MISSING_KEY, textOf } from "./context.ts";
import type { DocumentStepOptions, Step } from "./step.ts";

/** What `clarifyStep` is made of: the paths and the prompt, and the clarifier's own options. */
export interface ClarifyStepOptions extends ClarifyOptions, DocumentStepOptions {
  /** Where the brief is frozen. */
  readonly briefPath: string;
  /** What the human wants, as the prompt to the clarifier. */
  readonly prompt: string | ((context: Context) => string);
  /** Ask even when a complete brief is on disk. Default false. */
  readonly alwaysAsk?: boolean;
}

/**
 * Asks until the requirement is clear and freezes it in a four-section brief. Skipped when a complete brief is
 * on disk; what is there otherwise, written by hand or half done, is shown to the clarifier and kept in the archive.
 * What later steps see is the brief, never the reply it was read from: that may hold more.
 */
export function clarifyStep(channel: HumanChannel, options: ClarifyStepOptions): Step {
  const lang = options.lang ?? channel.lang;
  const name = options.name ?? NAMES[lang].clarifyStep;
  const pour = (brief: Brief, context: Context): void => {
    context[BRIEF_KEY] = brief;
    context[name] = brief.promptBlock();
    delete context[MISSING_KEY];
  };
  const withWritten = (text: string): string => {
    const written = readTextIfExists(options.briefPath)?.trim() ?? "";
    if (written === "") return text;
    return joinParagraphs(text, PROMPTS[lang].clarifyWritten({ path: options.briefPath, written }));
  };
  return {
    name,
    spec: options.spec ?? clarify(NAMES[lang].clarifierRole, channel, { ...options, lang }),
    prompt: (context) => withWritten(textOf(options.prompt, context)),
    resumePrompt: () => withWritten(CLARIFY_RESUME_TEXT[lang]),
    retries: options.retries ?? 0,
    onFail: options.onFail ?? "stop",
    when: (context) => {
      if (options.alwaysAsk) return true;
      const brief = Brief.load(options.briefPath);
      if (brief === undefined || !brief.complete()) return true;
      pour(brief, context);
      return false;
    },
    gate: (result, context) => {
      // Words that the human sent while the questions were asked stand in the file before the brief does.
      const amendments = Brief.load(options.briefPath)?.amendments ?? [];
      const brief = Brief.parse(result.closing).with({ lang, amendments });
      if (!brief.complete()) {
        context[MISSING_KEY] = brief.missing();
        return false;
      }
      const epochMs = (options.clock ?? systemClock).now();
      replaceDocument(options.briefPath, { text: brief.toMarkdown(), epochMs });
      pour(brief, context);
      return true;
    },
    onReject: (_result, context) => PROMPTS[lang].clarifyResume({ missing: context[MISSING_KEY] ?? [] }),
    reduce: (_result, context) => context[BRIEF_KEY]?.promptBlock() ?? "",
  };
}
