import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { STORIES } from "../src/cli/demo/story.ts";
import { reply, type ScriptedModel, startScriptedModel } from "../src/testing/index.ts";
import { type Bench, figure, median } from "./figure.ts";

/** Pairs measured; the figure is the median of their ratios. */
const PAIRS = 9;
const ROOT = resolve(import.meta.dirname, "..");
const FLOWER = join(ROOT, "dist", "cli", "main.js");
const BARE = join(ROOT, "bench", "bare-start.mjs");

/**
 * From the start of a process to the first request that the model sees: `flower "…"` as it is installed, divided by a
 * plain script on the SDK. Both in a fresh repository, in turn, and both run to their end.
 */
const bench = {
  name: "start",
  run: async () => {
    const built = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
    if (built.status !== 0) throw new Error("dist could not be built");
    let askedAt: number | undefined;
    const model = await startScriptedModel(() => {
      askedAt ??= performance.now();
      return reply(STORIES.en.brief("1.0.1"));
    });
    const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
    /** Milliseconds from the start of `node <args>` to the first request. */
    const toFirstRequest = async (
      name: string,
      args: (workspace: string) => readonly string[],
    ): Promise<number> => {
      const workspace = join(dir, name);
      mkdirSync(workspace);
      spawnSync("git", ["init", "--quiet"], { cwd: workspace });
      askedAt = undefined;
      const startedAt = performance.now();
      const code = await ended(args(workspace), workspace, environment(model, dir));
      if (code !== 0 || askedAt === undefined) throw new Error(`${name} ended with ${code}`);
      return askedAt - startedAt;
    };
    const bare = (name: string): Promise<number> =>
      toFirstRequest(name, (workspace) => [BARE, workspace, "a till"]);
    const flower = (name: string): Promise<number> =>
      toFirstRequest(name, () => [FLOWER, "a till", "--clarify-only"]);
    try {
      await bare("warm-up-bare");
      await flower("warm-up-flower");
      const times: { bareMs: number; flowerMs: number }[] = [];
      for (let pair = 0; pair < PAIRS; pair += 1)
        times.push({ bareMs: await bare(`bare-${pair}`), flowerMs: await flower(`flower-${pair}`) });
      const ratio = median(times.map(({ bareMs, flowerMs }) => flowerMs / bareMs));
      return [
        figure({ bench: "start", value: ratio, unit: "ratio", target: "<=1.2" }),
        figure({
          bench: "start-flower",
          value: median(times.map((t) => t.flowerMs)),
          unit: "ms",
          target: "",
        }),
        figure({ bench: "start-bare", value: median(times.map((t) => t.bareMs)), unit: "ms", target: "" }),
      ];
    } finally {
      await model.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  },
} satisfies Bench;

export default bench;

function environment(model: ScriptedModel, dir: string): Record<string, string> {
  return model.env({
    configDir: join(dir, "config"),
    home: dir,
    path: process.env["PATH"] ?? "",
    extra: { FLOWER_LANG: "en" },
  });
}

function ended(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const child = spawn(process.execPath, [...args], {
    cwd,
    env: { ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((done) => {
    child.once("close", done);
  });
}
