import { existsSync, renameSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { type Clock, systemClock } from "../base/clock.ts";
import { ensureDirectory, readTextIfExists, setAside, withFileLock, writeTextAtomic } from "../base/files.ts";
import { stamp } from "../base/ids.ts";
import { isLang, type Lang } from "../lang/lang.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";

const fileSchema = z.looseObject({
  workspace: z.string(),
  steps: z.record(z.string(), z.string()).default({}),
  woke: z.number().int().nonnegative().default(0),
  lang: z.string().optional(),
});

type LineageFile = z.infer<typeof fileSchema>;

/** What stands in the file: usable, of another workspace, not readable as a lineage, or nothing. */
type Found =
  | { readonly kind: "ours"; readonly file: LineageFile }
  | { readonly kind: "foreign" | "corrupt" | "missing" };

export interface LineageOptions {
  readonly clock?: Clock;
  /** The directory's language, if the file names none. Default "en". */
  readonly lang?: Lang;
  /** Told what was kept aside, for the human. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Step name -> session id, on disk (`lineage.json`): by it the same directory is the same conversation.
 *
 * Contract: opening reads and never writes or throws over bad content; a file that is corrupt or belongs to
 * another workspace counts as empty and is kept aside by the first write. Every write merges under a lock, so
 * that parallel runs do not lose each other's steps.
 */
export class Lineage {
  readonly path: string;
  readonly workspace: string;
  readonly #clock: Clock;
  readonly #defaultLang: Lang;
  readonly #onNotice: (text: string) => void;
  #file: LineageFile;

  private constructor(runDir: string, workspace: string, options: LineageOptions) {
    this.path = join(runDir, "lineage.json");
    this.workspace = resolve(workspace);
    this.#clock = options.clock ?? systemClock;
    this.#defaultLang = options.lang ?? "en";
    this.#onNotice = options.onNotice ?? (() => undefined);
    const found = this.#find();
    this.#file = found.kind === "ours" ? found.file : this.#empty();
  }

  static open(runDir: string, workspace: string, options: LineageOptions = {}): Lineage {
    return new Lineage(runDir, workspace, options);
  }

  /** Session ids by step name; names never carry a `#round` suffix. */
  get steps(): Readonly<Record<string, string>> {
    return this.#file.steps;
  }

  /** How often this conversation was woken. */
  get woke(): number {
    return this.#file.woke;
  }

  get lang(): Lang {
    return isLang(this.#file.lang) ? this.#file.lang : this.#defaultLang;
  }

  /** To disk at once: a session that is known must survive whatever happens next. */
  remember(step: string, sessionId: string): void {
    if (this.#file.steps[step] === sessionId) return;
    this.#update((file) => ({ ...file, steps: { ...file.steps, [step]: sessionId } }));
  }

  /** Counts a wake. */
  bump(): void {
    this.#update((file) => ({ ...file, woke: file.woke + 1 }));
  }

  /**
   * Moves the lineage and the `extra` files that exist into `<into>/<stamp>/` and begins an empty one. Returns
   * the directory, undefined when there was nothing to move.
   */
  archive(into: string, options: { extra?: readonly string[] } = {}): string | undefined {
    return withFileLock(this.path, () => {
      const files = [this.path, ...(options.extra ?? [])].filter((path) => existsSync(path));
      this.#file = this.#empty();
      if (files.length === 0) return undefined;
      const target = freeDirectory(join(into, stamp(this.#clock.now())));
      ensureDirectory(target);
      for (const path of files) renameSync(path, join(target, basename(path)));
      return target;
    });
  }

  #update(change: (file: LineageFile) => LineageFile): void {
    withFileLock(this.path, () => {
      const found = this.#find();
      if (found.kind === "corrupt" || found.kind === "foreign") {
        const kept = setAside(this.path, this.#clock.now());
        this.#onNotice(workflowMessages[this.#defaultLang].lineageKept(this.path, kept, found.kind));
      }
      this.#file = change(found.kind === "ours" ? found.file : this.#empty());
      writeTextAtomic(this.path, `${JSON.stringify({ ...this.#file, lang: this.lang }, null, 2)}\n`);
    });
  }

  #find(): Found {
    const text = readTextIfExists(this.path);
    if (text === undefined) return { kind: "missing" };
    const file = parse(text);
    if (file === undefined) return { kind: "corrupt" };
    return resolve(file.workspace) === this.workspace ? { kind: "ours", file } : { kind: "foreign" };
  }

  #empty(): LineageFile {
    return { workspace: this.workspace, steps: {}, woke: 0 };
  }
}

function parse(text: string): LineageFile | undefined {
  try {
    return fileSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function freeDirectory(path: string): string {
  let free = path;
  for (let n = 2; existsSync(free); n += 1) free = `${path}-${n}`;
  return free;
}
