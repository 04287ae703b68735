/**
 * The context window that an overflow names, in tokens; undefined when it names none. In the words of the API
 * ("prompt is too long: 210000 tokens > 200000 maximum", "input length and `max_tokens` exceed context limit: 180000 +
 * 32000 > 200000") and of gateways in front of other models ("maximum context length is 131072 tokens").
 */
export function windowInError(text: string): number | undefined {
  for (const form of FORMS) {
    const digits = form.exec(text)?.[1];
    if (digits !== undefined) return Number(digits.replaceAll(",", ""));
  }
  return undefined;
}

const NUMBER = String.raw`(\d[\d,]{3,})(?![\d.]*\d)`;
const FORMS: readonly RegExp[] = [
  new RegExp(String.raw`prompt is too long: [\d,]+ tokens? > ${NUMBER} maximum`, "i"),
  new RegExp(String.raw`exceed (?:the )?context limit: [\d,]+ \+ [\d,]+ > ${NUMBER}`, "i"),
  new RegExp(`maximum context (?:length|window) (?:is|of) ${NUMBER} tokens`, "i"),
];
