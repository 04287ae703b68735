import { oneLine } from "../base/text.ts";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";

/**
 * A usage error as one line like every other error, in the reader's language: commander knows only English, and puts
 * `error:` before it. What it says in other words than these (read in commander 14.0.3) stays as it is.
 */
export function usageErrorLine(text: string, lang: Lang): string {
  const said = oneLine(text).replace(/^error: /, "");
  const say = cliMessages[lang];
  const known: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
    [/^unknown option '(.+?)'(?: \(Did you mean (?:one of )?(.+)\?\))?$/, say.unknownOption],
    [/^too many arguments for '(.+)'\. Expected (\d+) \w+ but got (\d+)\.$/, say.tooManyArguments],
    [/^missing required argument '(.+)'$/, say.missingArgument],
    [/^option '(.+)' argument missing$/, say.missingValue],
    [/^required option '(.+)' not specified$/, say.missingOption],
    [/^option '(.+?)' argument '.*?' is invalid\. (.+)$/, say.invalidValue],
  ];
  for (const [pattern, translate] of known) {
    const [whole, ...found] = pattern.exec(said) ?? [];
    if (whole !== undefined) return `x ${translate(...found.map((part) => part ?? ""))}`;
  }
  return `x ${said}`;
}
