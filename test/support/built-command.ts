import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle } from "../../scripts/bundle.mjs";

/** The root of the checkout under test. */
export const CHECKOUT = resolve(import.meta.dirname, "../..");

/** Tells the processes of one run of the tests where its build is. Of each run its own: one may begin while another goes on. */
const VARIABLE = "FLOWER_TEST_BUILD";
const cache = join(CHECKOUT, "node_modules", ".cache");
process.env[VARIABLE] ??= join(cache, `flower-${process.pid}`);
const DIRECTORY = process.env[VARIABLE];

/** The command as it is published, built from the source under test; outside `dist`, which belongs to releases. */
export const COMMAND = join(DIRECTORY, "cli", "main.js");

/** What `import "flower-agent"` gives, of the same build. */
export const LIBRARY = join(DIRECTORY, "index.js");

/** Once before all tests: it starts in a third of the time that the source takes. */
export default async function buildCommand(): Promise<void> {
  process.once("exit", () => rmSync(DIRECTORY, { recursive: true, force: true }));
  await bundle(DIRECTORY);
}
