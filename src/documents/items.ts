import { indentOf, linesOf, tidyItems } from "./tidy.ts";

const MARKER =
  /^(?:(?:[-*+•]|\d{1,3}[.)])(?:[ \t]+|$)|[•·][ \t]*|\d{1,3}(?:[.)](?=\p{Script=Han})|[、．）])[ \t]*|[(（]\d{1,3}[)）][ \t]*)/u;
const CHECKBOX = /^\[[ xX]\](?:[ \t]+|$)/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Inside a list: `### Functions`, `**Functions**`, `Functions:`. */
const LABEL = /^#{1,6}[ \t]|^\*\*[^*]+\*\*[:：]?$|[:：]$/;
const ESCAPED_CHECKBOX = /^\\+(?=\[[ xX]\](?:[ \t]|$))/;

/**
 * The items of a checklist. Each loses its `-`, `*`, `1.` and checkbox. In a list with such marks, what is indented
 * below an item or directly follows it belongs to it, and labels that group items are left out; without any marks
 * every line is an item.
 */
export function parseItems(body: string): readonly string[] {
  const lines = linesOf(body);
  const first = lines.find((line) => MARKER.test(line.trimStart()));
  if (first === undefined) return tidyItems(lines.filter((line) => !RULE.test(line.trim())));
  const outer = indentOf(first) + 1;
  const items: string[][] = [];
  let open: string[] | undefined;
  let afterBlank = false;
  for (const line of lines) {
    const text = line.trim();
    if (text === "") {
      afterBlank = true;
      continue;
    }
    const indented = indentOf(line) > outer;
    if (indented && open !== undefined) {
      open.push(text);
    } else if (RULE.test(text) || (!MARKER.test(text) && LABEL.test(text))) {
      open = undefined;
    } else if (MARKER.test(text) || afterBlank || open === undefined) {
      open = [bare(text)];
      items.push(open);
    } else {
      open.push(text);
    }
    afterBlank = false;
  }
  return tidyItems(items.map((item) => item.join("\n")));
}

/** One `- ` line for each item; reading them gives the same items again. */
export function renderItems(items: readonly string[]): string {
  return items.map((item) => `- ${CHECKBOX.test(item.replace(/^\\+/, "")) ? "\\" : ""}${item}`).join("\n");
}

function bare(text: string): string {
  const unmarked = text.replace(MARKER, "");
  return ESCAPED_CHECKBOX.test(unmarked) ? unmarked.slice(1) : unmarked.replace(CHECKBOX, "");
}
