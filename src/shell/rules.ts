import { type Options, type OptionTable, options, type ReadWords, readWords } from "./options.ts";
import { isSafeOperand, staticText, type Word } from "./word.ts";

/**
 * Why a verb is a glance, and with which words. `reason` is the one line a reviewer reads: it says what keeps
 * the verb from writing, executing or running for ever.
 */
export type VerbRule = HarmlessRule | OptionsRule | SubverbsRule | CheckedRule;

/** No option and no operand of the verb can hurt, on any system we know: words may even be unknown. */
export interface HarmlessRule {
  readonly kind: "harmless";
  readonly reason: string;
}

/** Only the listed options. */
export interface OptionsRule {
  readonly kind: "options";
  readonly reason: string;
  readonly options: Options;
  readonly limits: OptionLimits;
}

export interface OptionLimits {
  /** More operands would be written to, or are another form of the verb. */
  readonly maxOperands?: number;
  /** Options only before the first operand: behind it a tool would take them for one more. */
  readonly optionsFirst?: true;
  /** Without one of these options an operand is a name to create (`git branch x`). */
  readonly operandsNeed?: readonly string[];
  /** Without these options the verb does not end by itself. */
  readonly needs?: readonly string[];
  /** What a table cannot say; sees the words after they passed it. */
  readonly check?: (read: ReadWords) => boolean;
}

/** The first operand chooses. `bare` says whether the verb may stand without one. */
export interface SubverbsRule {
  readonly kind: "subverbs";
  readonly reason: string;
  /** Options before the sub-verb. */
  readonly globals: Options;
  readonly bare: boolean;
  /** What the table of `globals` cannot say; sees the options before the sub-verb. */
  readonly check: ((read: ReadWords) => boolean) | undefined;
  readonly subverbs: ReadonlyMap<string, VerbRule>;
}

/** A language of its own (awk, sed, find, …). */
export interface CheckedRule {
  readonly kind: "checked";
  readonly reason: string;
  readonly check: (words: readonly Word[]) => boolean;
}

export function harmless(reason: string): HarmlessRule {
  return { kind: "harmless", reason };
}

/** A rule with one option table, or with several joined. */
export function only(
  reason: string,
  table: OptionTable | readonly OptionTable[],
  limits: OptionLimits = {},
): OptionsRule {
  return { kind: "options", reason, options: options(...[table].flat()), limits };
}

export function subverbs(
  reason: string,
  shape: {
    readonly globals?: OptionTable;
    readonly bare?: boolean;
    readonly check?: (read: ReadWords) => boolean;
    readonly verbs: Readonly<Record<string, VerbRule>>;
  },
): SubverbsRule {
  return {
    kind: "subverbs",
    reason,
    globals: options(shape.globals ?? {}),
    bare: shape.bare === true,
    check: shape.check,
    subverbs: new Map(Object.entries(shape.verbs)),
  };
}

export function checked(reason: string, check: (words: readonly Word[]) => boolean): CheckedRule {
  return { kind: "checked", reason, check };
}

/** Whether a rule lets these words (everything behind the verb) pass. */
export function allows(rule: VerbRule, words: readonly Word[]): boolean {
  switch (rule.kind) {
    case "harmless":
      return true;
    case "checked":
      return rule.check(words);
    case "options":
      return allowsOptions(rule, words);
    case "subverbs":
      return allowsSubverb(rule, words);
  }
}

function allowsOptions(rule: OptionsRule, words: readonly Word[]): boolean {
  const { maxOperands, optionsFirst, operandsNeed, needs, check } = rule.limits;
  const read = readWords(rule.options, words, { stopAtOperand: optionsFirst === true });
  if (read === undefined) return false;
  if (optionsFirst === true && !read.operands.every(isSafeOperand)) return false;
  if (maxOperands !== undefined) {
    // An operand that may become several cannot be counted.
    if (read.operands.some((word) => word.kind === "dynamic" && word.fields === "many")) return false;
    if (read.operands.length > maxOperands) return false;
  }
  if (operandsNeed !== undefined && read.operands.length > 0 && !usesAny(read, operandsNeed)) return false;
  if (needs !== undefined && !needs.every((name) => usesAny(read, [name]))) return false;
  return check === undefined || check(read);
}

function usesAny(read: ReadWords, names: readonly string[]): boolean {
  return read.options.some((option) => names.includes(option.name));
}

function allowsSubverb(rule: SubverbsRule, words: readonly Word[]): boolean {
  const read = readWords(rule.globals, words, { stopAtOperand: true });
  if (read === undefined || rule.check?.(read) === false) return false;
  const [first, ...rest] = read.operands;
  if (first === undefined) return rule.bare;
  const subverb = rule.subverbs.get(staticText(first) ?? "");
  return subverb !== undefined && allows(subverb, rest);
}
