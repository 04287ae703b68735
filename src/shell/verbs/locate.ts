import { checkCommand } from "../checkers/builtins.ts";
import { checked, harmless, type VerbRule } from "../rules.ts";

/** Finding out what a name means to the shell. */
export const LOCATE: Readonly<Record<string, VerbRule>> = {
  which: harmless("prints where programs lie"),
  whereis: harmless("prints where programs and manuals lie"),
  type: harmless("prints what a name means to the shell"),
  command: checked("-v and -V tell what a name means; anything else runs it", checkCommand),
};
