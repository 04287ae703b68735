import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { demo } from "../../src/cli/commands/demo.ts";
import { errorLine } from "../../src/cli/error-line.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-tmp-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

test("where no temporary directory can be made, one line says why and what to do", async () => {
  writeFileSync(join(dir, "file"), "");
  vi.stubEnv("TMPDIR", join(dir, "file"));
  const failure: unknown = await demo({ lang: "en" }, fakeTerminal()).catch((thrown: unknown) => thrown);
  expect(errorLine(failure)).toMatch(
    /^x no temporary directory can be made for the demo: ENOTDIR.* Set TMPDIR .*--dir\.$/,
  );
});
