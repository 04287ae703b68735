import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The directory of the package that a module belongs to: the nearest one, at or above `from`, with a package.json.
 * Default: flower's own, whether it runs from source or built, where its files lie at other depths. Throws when there
 * is none.
 */
export function packageRoot(from: string = import.meta.dirname): string {
  if (existsSync(join(from, "package.json"))) return from;
  const above = dirname(from);
  if (above === from) throw new Error("there is no package.json above this module");
  return packageRoot(above);
}
