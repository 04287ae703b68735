/**
 * Whether another model answered than the one that was asked for, as some gateways do. An alias (`sonnet`) names
 * no model in particular, a date or a `[1m]` at the end no other one.
 *
 * Returns the pair to report, undefined when all is well or nothing is known.
 */
export function otherModel(
  asked: string | undefined,
  served: string | null,
): { asked: string; served: string } | undefined {
  if (asked === undefined || served === null || !/\d/.test(asked)) return undefined;
  const [wanted, got] = [plainName(asked), plainName(served)];
  return wanted.startsWith(got) || got.startsWith(wanted) ? undefined : { asked, served };
}

function plainName(model: string): string {
  return model
    .toLowerCase()
    .replace(/\[1m\]$/, "")
    .trim();
}
