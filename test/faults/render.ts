import { type Expected, MAIN_THREAD, type Row, SUBAGENT } from "./matrix.ts";

/** The page that shows the matrix, and where it stands there. */
export const PAGE = "docs/architecture/resilience.md";
const BEGIN = "<!-- matrix: written by test/faults/document.test.ts -->";
const END = "<!-- end of the matrix -->";

/** The page with the matrix as it is now. Throws when the page has no place for it. */
export function withMatrix(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the matrix`);
  return `${page.slice(0, from + BEGIN.length)}\n${renderMatrix()}\n${page.slice(to)}`;
}

function renderMatrix(): string {
  return [
    "",
    "### In the main thread",
    "",
    ...table(MAIN_THREAD),
    "",
    "### In a subagent",
    "",
    ...table(SUBAGENT),
    "",
  ].join("\n");
}

function table(rows: Readonly<Record<string, Pick<Row, "on" | "off">>>): string[] {
  const lines = Object.entries(rows).flatMap(([fault, { on, off }]) =>
    on === off ? [line(fault, "on, off", on)] : [line(fault, "on", on), line("", "off", off)],
  );
  return ["| fault | gateway | told | attempts | ends | trace |", "|---|---|---|---|---|---|", ...lines];
}

function line(fault: string, gateway: string, { told, attempts, ends, trace }: Expected): string {
  const end = ends === "ok" ? "ok" : `${ends.kind}: “${ends.words}”`;
  return `| ${[fault, gateway, told, attempts, end, trace].join(" | ")} |`;
}
