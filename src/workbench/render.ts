import type { Lang } from "../lang/lang.ts";
import { workbenchMessages } from "../lang/messages/workbench.ts";
import { escapeName } from "./escape-name.ts";
import type { WorkbenchScan } from "./scan-directory.ts";
import type { WorkbenchPaths } from "./workbench-paths.ts";

/** What one of the three directories holds. */
export interface Category {
  readonly name: string;
  readonly scan: WorkbenchScan;
}

/** The whole of `INDEX.md`: every file, no times, so that it changes only when the workbench does. */
export function renderIndex(categories: readonly Category[], lang: Lang): string {
  const say = workbenchMessages[lang];
  const parts = [`# ${say.indexTitle}`, say.indexNote];
  for (const { name, scan } of categories) {
    const lines = listed(scan, { limit: scan.entries.length, lang, show: (path) => `${name}/${path}` });
    parts.push(`## ${title(name, scan, lang)}`, lines.length === 0 ? say.nothing : lines.join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

export interface PromptOptions {
  readonly paths: WorkbenchPaths;
  readonly maxIndexEntries: number;
  readonly lang: Lang;
  /** How a path is written for the agent. */
  readonly show: (path: string) => string;
}

/** The block for the system prompt: where the workbench is, the three rules, and the head of each list. */
export function renderPrompt(categories: readonly Category[], options: PromptOptions): string {
  const { paths, show, lang } = options;
  const say = workbenchMessages[lang];
  const directory = (path: string): string => `${show(path)}/`;
  const place = say.place(directory(paths.root), show(paths.indexPath));
  const parts = [
    `## ${say.promptTitle}`,
    paths.external ? `${place}\n${say.external}` : place,
    [
      say.rulesTitle,
      `1. ${say.scriptsRule(directory(paths.scripts))}`,
      `2. ${say.artifactsRule(directory(paths.artifacts))}`,
      `3. ${say.notesRule(directory(paths.notes))}`,
    ].join("\n"),
    say.subagents,
  ];
  for (const { name, scan } of categories) {
    if (scan.entries.length === 0) continue;
    const base = directory(`${paths.root}/${name}`);
    const lines = listed(scan, { limit: options.maxIndexEntries, lang, show: (path) => `${base}${path}` });
    parts.push(`### ${title(name, scan, lang)}\n${lines.join("\n")}`);
  }
  return parts.join("\n\n");
}

interface ListOptions {
  readonly limit: number;
  readonly lang: Lang;
  readonly show: (name: string) => string;
}

/** One line an entry, and a last one for what was left out. */
function listed(scan: WorkbenchScan, { limit, lang, show }: ListOptions): readonly string[] {
  const say = workbenchMessages[lang];
  const lines = scan.entries
    .slice(0, limit)
    .map((entry) => say.entry(show(escapeName(entry.name)), entry.description));
  const left = scan.entries.length - lines.length;
  if (!scan.complete) lines.push(say.more(say.atLeast(left + 1)));
  else if (left > 0) lines.push(say.more(String(left)));
  return lines;
}

function title(name: string, scan: WorkbenchScan, lang: Lang): string {
  const say = workbenchMessages[lang];
  const count = scan.entries.length;
  return say.heading(name, scan.complete ? String(count) : say.atLeast(count + 1));
}
