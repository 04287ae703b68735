/**
 * `npm run bench [-- name …]`: runs every `bench/*.bench.ts` in turn (never two at once: they would measure each
 * other), then prints a table for people and one JSON line per figure.
 *
 * Exit code 1 when a benchmark crashes, after the others have run; a missed target is a figure, not a failure.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Bench, type Figure, formatJsonLines, formatTable } from "./figure.ts";

const here = import.meta.dirname;
const wanted = process.argv.slice(2);
const figures: Figure[] = [];

const files = readdirSync(here)
  .filter((file) => file.endsWith(".bench.ts"))
  .sort();

for (const file of files) {
  if (wanted.length > 0 && !wanted.some((name) => file.startsWith(name))) continue;
  try {
    const { default: bench }: { default: Bench } = await import(pathToFileURL(join(here, file)).href);
    process.stderr.write(`${bench.name} …\n`);
    figures.push(...(await bench.run()));
  } catch (thrown) {
    console.error(`bench/${file} crashed:`, thrown);
    process.exitCode = 1;
  }
}

if (figures.length > 0) {
  console.log(formatTable(figures));
  console.log(formatJsonLines(figures));
} else if (process.exitCode === undefined) {
  console.error(`no benchmark matches ${wanted.join(", ") || "bench/*.bench.ts"}`);
  process.exitCode = 1;
}
