import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Commands that coding agents really ran, one JSON string a line, in every file of a directory beside the project. */
const CASES = join(import.meta.dirname, "../../../shared/cases");

const files = existsSync(CASES)
  ? readdirSync(CASES)
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
  : [];

/** Empty where the directory is missing. */
export const realCommands: readonly string[] = files
  .flatMap((name) => readFileSync(join(CASES, name), "utf8").split("\n"))
  .filter((line) => line !== "")
  .map((line) => String(JSON.parse(line)));
