import { indentOf, linesOf, tidyItems } from "./tidy.ts";

const MARKER =
  /^(?:(?:[-*+•]|\d{1,3}[.)])(?:[ \t]+|$)|[•·][ \t]*|\d{1,3}(?:[.)](?=\p{Script=Han})|[、．）])[ \t]*|[(（]\d{1,3}[)）][ \t]*)/u;
const CHECKBOX = /^\[[ xX]\](?:[ \t]+|$)/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Inside a list: `### Functions`, `**Functions**`, `Functions:`. */
const LABEL = /^#{1,6}[ \t]|^\*\*[^*]+\*\*[:：]?$|[:：]$/;
const ESCAPED_CHECKBOX = /^\\+(?=\[[ xX]\](?:[ \t]|$))/;

/** A list, and the lines in it that were taken for labels of groups. */
export interface ItemList {
  readonly items: readonly string[];
  readonly labels: readonly string[];
}

/** The items of a checklist, without the labels that group them. */
export function parseItems(body: string): readonly string[] {
  return readItems(body).items;
}

/**
 * The items of a checklist, and its labels. Each item loses its `-`, `*`, `1.` and checkbox. In a list with such
 * marks, what is indented below an item or directly follows it belongs to it, and a line between items may be a
 * label; without any marks every line is an item.
 */
export function readItems(body: string): ItemList {
  const lines = linesOf(body);
  const first = lines.find((line) => MARKER.test(line.trimStart()));
  if (first === undefined) {
    return { items: tidyItems(lines.filter((line) => !RULE.test(line.trim()))), labels: [] };
  }
  const outer = indentOf(first) + 1;
  const items: string[][] = [];
  const labels: string[] = [];
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
    } else if (RULE.test(text)) {
      open = undefined;
    } else if (!MARKER.test(text) && LABEL.test(text)) {
      labels.push(text);
      open = undefined;
    } else if (MARKER.test(text) || afterBlank || open === undefined) {
      open = [bare(text)];
      items.push(open);
    } else {
      open.push(text);
    }
    afterBlank = false;
  }
  return { items: tidyItems(items.map((item) => item.join("\n"))), labels };
}

/** One `- ` line for each item; reading them gives the same items again. */
export function renderItems(items: readonly string[]): string {
  return items.map((item) => `- ${CHECKBOX.test(item.replace(/^\\+/, "")) ? "\\" : ""}${item}`).join("\n");
}

function bare(text: string): string {
  const unmarked = text.replace(MARKER, "");
  return ESCAPED_CHECKBOX.test(unmarked) ? unmarked.slice(1) : unmarked.replace(CHECKBOX, "");
}
