import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PAGE, withMatrix } from "./render.ts";

const path = join(import.meta.dirname, "../..", PAGE);

test("the page shows the matrix that the tests play; REWRITE_MATRIX=1 writes it", () => {
  const page = readFileSync(path, "utf8");
  const current = withMatrix(page);
  if (process.env["REWRITE_MATRIX"] === "1") writeFileSync(path, current);
  else expect(page).toBe(current);
});
