import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The folders whose files take longest, the longest first. What is not here takes moments. */
const SLOW = [
  "e2e",
  "workflow",
  "faults",
  "gateway",
  "shell",
  "runtime",
  "agent",
  "testing",
  "house",
  "roles",
  "store",
];

/**
 * What takes long begins first, so that no core is idle while the last long file runs alone on the other. Vitest does
 * the same with times that it has measured, but a fresh clone has none.
 */
export class ByFolder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => {
      const [, folder = ""] = relative(file.project.config.root, file.moduleId).split("/");
      const place = SLOW.indexOf(folder);
      return place < 0 ? SLOW.length : place;
    };
    // Files of one project stay together: only a process that is used again at once is kept.
    return (await super.sort(files)).sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b),
    );
  }
}
