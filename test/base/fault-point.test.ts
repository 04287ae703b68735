import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { armFaultPoint, FAULT_POINTS, faultPoint } from "../../src/base/fault-point.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Passes a point three times in a process of its own, and prints how often it came through. */
function passThrice(order: string): { signal: NodeJS.Signals | null; passed: number } {
  const module = pathToFileURL(join(ROOT, "src/base/fault-point.ts")).href;
  const script = `import { armFaultPoint, faultPoint } from ${JSON.stringify(module)};
    armFaultPoint(${JSON.stringify(order)});
    for (let n = 0; n < 3; n += 1) { faultPoint("step/ended"); process.stdout.write("."); }`;
  const { signal, stdout } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", script],
    { cwd: ROOT, encoding: "utf8" },
  );
  return { signal, passed: stdout.length };
}

describe("a fault point", () => {
  test("kills the process at the pass that was ordered", () => {
    expect(passThrice("step/ended@2")).toEqual({ signal: "SIGKILL", passed: 1 });
  });

  test("does nothing when another one is armed", () => {
    expect(passThrice("step/booked")).toEqual({ signal: null, passed: 3 });
  });

  test.each([undefined, ""])("is off without an order (%j)", (order) => {
    armFaultPoint(order);
    for (const point of FAULT_POINTS) faultPoint(point);
  });

  test.each(["step/nowhere", "step/ended@0", "step/ended@x", "step/ended:kill", "@1"])(
    "that is none (%s) is an error which names those that are",
    (order) => {
      expect(() => armFaultPoint(order)).toThrow(
        expect.objectContaining({ code: "base/fault-point", hint: expect.stringContaining("step/ended") }),
      );
    },
  );
});

test("the list, the code and the page agree, and each point stands in one place", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const inCode = files.flatMap((name) =>
    [...readFileSync(join(ROOT, "src", name), "utf8").matchAll(/\bfaultPoint\("([^"]+)"\)/g)].map(
      ([, point]) => point,
    ),
  );
  const page = readFileSync(join(ROOT, "docs/architecture/crashes.md"), "utf8");
  const onPage = [...page.matchAll(/^\| `(\w+\/\w+)` \|/gm)].map(([, point]) => point);
  expect(inCode).toHaveLength(FAULT_POINTS.length);
  expect(new Set(inCode)).toEqual(new Set(FAULT_POINTS));
  expect(onPage).toEqual(FAULT_POINTS);
});
