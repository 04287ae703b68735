import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoScenario } from "../../../src/cli/demo/scenario.ts";
import { openShop } from "../../../src/cli/demo/shop.ts";
import { STORIES } from "../../../src/cli/demo/story.ts";
import { COORDINATOR_RULES } from "../../../src/lang/rules/coordinator-rules.ts";
import {
  type ModelRequest,
  type Responder,
  reply,
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
  toolCall,
} from "../../../src/testing/index.ts";
import { endFlowers, type FlowerProcess, startFlower } from "../flower.ts";
import { LARGE_PAGES } from "../large-pages.ts";
import { MODEL } from "../run-agent.ts";
import type { Flow } from "./plan.ts";

/** The demo's shop and its model, outside of every flower, so that it outlives them all and knows what each asked. */
export interface ChaosWorld {
  readonly flow: Flow;
  readonly shop: string;
  readonly runDir: string;
  /** Where flower, the SDK and the CLI put what is for the moment. */
  readonly scratch: string;
  readonly model: ScriptedModel;
  /** The same command every time, as somebody gives it who only knows that it has stopped. */
  start(faultPoint?: string): FlowerProcess;
  /** Resolves when the model was asked `count` times in all. */
  asked(count: number): Promise<void>;
  end(): Promise<void>;
}

const DOCUMENT = `## Doing now
The till: a worker mends the total.

## Decided
Nothing beside the brief.

## Dead ends
(empty)

## Next step
Hand the work to a worker.

## Scene
Nothing is running.
`;

/** With this window a handoff is due at 60,000 tokens. */
const WINDOW = 110_000;
const FULL = { usage: { input: 70_000 } };

export async function makeChaosWorld(flow: Flow): Promise<ChaosWorld> {
  const dir = mkdtempSync(join(tmpdir(), "flower-chaos-"));
  const [shop, home, scratch] = ["shop", "home", "tmp"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, scratch]) mkdirSync(path);
  await openShop(shop, "en");
  const scene = { lang: "en", workspace: shop, artifacts: join(shop, ".flower", "artifacts") } as const;
  const waiting = new Set<() => void>();
  const play = flow === "handoff" ? fullOnce(demoScenario(scene)) : demoScenario(scene);
  const model: ScriptedModel = await startScriptedModel((request, signal) => {
    for (const look of waiting) look();
    return play(request, signal);
  });
  const env = model.env({
    configDir: join(dir, "unused"),
    path: process.env["PATH"] ?? "",
    home,
    extra: { ...LARGE_PAGES, TMPDIR: scratch, LANG: "C.UTF-8", NO_COLOR: "1", ANTHROPIC_MODEL: MODEL },
  });
  const args = ["--judge-can-run", "--timeout", "0.1", "--lang", "en"];
  if (flow === "handoff") args.push("--window", String(WINDOW));
  return {
    flow,
    shop,
    runDir: join(shop, "runs"),
    scratch,
    model,
    start: (faultPoint) =>
      startFlower([STORIES.en.ask, ...args], {
        cwd: shop,
        env: faultPoint === undefined ? env : { ...env, FLOWER_FAULT_POINT: faultPoint },
      }),
    asked: (count) =>
      new Promise((done) => {
        const look = (): void => {
          if (model.calls.length < count) return;
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        look();
      }),
    end: async () => {
      await endFlowers();
      await model.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/**
 * The first session of the coordinator is full with its first reply, and writes the document when it is asked to. When it
 * is woken instead, it only looks round: whoever has a full context and a worker at work would have to write of it.
 */
function fullOnce(play: Responder): Responder {
  return async (request, signal) => {
    if (request.prompt.startsWith("Your context is nearly full")) return reply({ text: DOCUMENT, ...FULL });
    if (!isFirstCoordinator(request)) return play(request, signal);
    if (request.history().length > 0) return toolCall("Bash", { command: "ls" }, FULL);
    const step = await play(request, signal);
    return step === undefined ? undefined : full(step);
  };
}

function isFirstCoordinator(request: ModelRequest): boolean {
  const isCoordinator = request.agent === "main" && request.system.includes(COORDINATOR_RULES.en);
  return isCoordinator && !request.firstPrompt.includes("Hand the work to a worker.");
}

function full(step: ScriptStep): ScriptStep {
  return step.kind === "reply" ? { ...step, usage: { ...step.usage, ...FULL.usage } } : step;
}
