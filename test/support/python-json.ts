/** JSON as Python's `json.dumps` writes it: a blank after colons and commas, and here every character as it is. */
export function pythonJson(value: unknown, { indent }: { indent?: boolean } = {}): string {
  if (indent) return JSON.stringify(value, null, 2);
  if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}: ${pythonJson(field)}`,
  );
  return `{${fields.join(", ")}}`;
}

/** The same with `ensure_ascii`, Python's default: what is not ASCII is escaped. */
export function pythonAscii(value: unknown): string {
  return pythonJson(value).replaceAll(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
