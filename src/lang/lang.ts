/** The two languages of flower. A directory has one of them, chosen at its first run (SPEC 3). */
export type Lang = "zh" | "en";

export const LANGS = ["zh", "en"] as const;

/** One value for each language. */
export type PerLang<T> = Readonly<Record<Lang, T>>;

/** Narrows text from a file, a flag or the environment. */
export function isLang(value: unknown): value is Lang {
  return value === "zh" || value === "en";
}

/**
 * A catalogue of messages. `en` fixes the keys and their parameters, so that a key missing in `zh`, or one
 * with other parameters, is a type error.
 */
export function messages<T extends object>(en: T, zh: NoInfer<T>): PerLang<T> {
  return { en, zh };
}
