import { join, resolve } from "node:path";
import { bundle } from "../../scripts/bundle.mjs";

/** The root of the checkout under test. */
export const CHECKOUT = resolve(import.meta.dirname, "../..");

const DIRECTORY = join(CHECKOUT, "node_modules", ".cache", "flower");

/** The command as it is published, built from the source under test; outside `dist`, which belongs to releases. */
export const COMMAND = join(DIRECTORY, "cli", "main.js");

/** What `import "flower-agent"` gives, of the same build. */
export const LIBRARY = join(DIRECTORY, "index.js");

/** Once before all tests: it starts in a third of the time that the source takes. */
export default async function buildCommand(): Promise<void> {
  await bundle(DIRECTORY);
}
