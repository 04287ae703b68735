import type { VerbRule } from "../rules.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { LOCATE } from "./locate.ts";
import { PROCESSES_CONTAINERS } from "./processes-containers.ts";
import { SYSTEM } from "./system.ts";
import { TEXT } from "./text.ts";

/** Every verb a glance may use. A path (`/bin/ls`, `./ls`) is not the verb. */
export const VERBS: ReadonlyMap<string, VerbRule> = new Map([
  ...Object.entries(SYSTEM),
  ...Object.entries(FILES),
  ...Object.entries(LOCATE),
  ...Object.entries(TEXT),
  ...Object.entries(PROCESSES_CONTAINERS),
  ["git", GIT],
]);
