import type { HelpConfiguration } from "commander";
import { columns } from "../base/text.ts";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { ICONS, type Icon } from "./lines.ts";

/** Commander's help in the reader's language: headings, and defaults that our descriptions name already. */
export function helpConfiguration(lang: Lang): HelpConfiguration {
  const titles = titlesIn(lang);
  return {
    showGlobalOptions: true,
    styleTitle: (title) => titles[title] ?? title,
    optionDescription: (option) => option.description,
  };
}

/** What follows the list of commands: where the options of a run are, and what the sign before a line means. */
export function helpFooter(lang: Lang, width: number): string {
  const say = cliMessages[lang];
  const signs = Object.entries(ICONS).map(([name, sign]) => `${sign} ${isIcon(name) ? say.signs[name] : ""}`);
  return ["", say.goHelp, "", say.signsTitle, ...rowsOf(signs, width)].join("\n");
}

/** Entries side by side, as many as fit; none of them is broken. */
function rowsOf(entries: readonly string[], width: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const entry of entries) {
    const longer = row === "" ? `  ${entry}` : `${row}   ${entry}`;
    if (row !== "" && columns(longer) > width) {
      rows.push(row);
      row = `  ${entry}`;
    } else row = longer;
  }
  return [...rows, row];
}

function isIcon(name: string): name is Icon {
  return name in ICONS;
}

/** Commander's own headings in the reader's language. */
function titlesIn(lang: Lang): Readonly<Record<string, string>> {
  const say = cliMessages[lang];
  return {
    "Usage:": say.usage,
    "Arguments:": say.arguments,
    "Options:": say.options,
    "Global Options:": say.globalOptions,
    "Commands:": say.commands,
  };
}
