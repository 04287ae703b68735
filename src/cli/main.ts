#!/usr/bin/env node
import module from "node:module";

/**
 * The command. What it loads is the SDK for the most part, a quarter of a second of compiling at each start: a Node that
 * can keep what it compiled (22.1 and later) takes a third off. So nothing may be imported before that is switched on.
 */
const enableCompileCache: unknown = Reflect.get(module, "enableCompileCache");
if (typeof enableCompileCache === "function") Reflect.apply(enableCompileCache, module, []);
const { runCommand } = await import("./command.ts");
await runCommand();
