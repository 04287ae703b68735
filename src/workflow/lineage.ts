import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { type Clock, systemClock } from "../base/clock.ts";
import { errorText, FlowerError } from "../base/errors.ts";
import {
  ensureDirectory,
  freePath,
  readTextIfExists,
  setAside,
  withFileLock,
  writeTextAtomic,
} from "../base/files.ts";
import { stamp } from "../base/ids.ts";
import { tidyLines } from "../documents/tidy.ts";
import { isLang, type Lang } from "../lang/lang.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { isInside } from "../workbench/is-inside.ts";
import { moveFile } from "./move-file.ts";

const fileSchema = z.looseObject({
  workspace: z.string(),
  steps: z.record(z.string(), z.string()).default({}),
  woke: z.number().int().nonnegative().default(0),
  lang: z.string().optional(),
  /** The human's sentences that a session was told; absent in what the Python original left. */
  asks: z.array(z.string()).optional().catch(undefined),
});

type LineageFile = z.infer<typeof fileSchema>;

/** What stands in the file: usable, of another workspace, not readable as a lineage, or nothing. */
type Found =
  | { readonly kind: "ours"; readonly file: LineageFile }
  | { readonly kind: "foreign" | "corrupt" | "missing" };

/** How a lineage is opened. */
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
 * another workspace (not one that was moved or copied) counts as empty and is kept aside by the first write. Every write merges under a lock, so
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

  /** The human's sentences that a session was told, oldest first; undefined when nobody kept account of them. */
  get asks(): readonly string[] | undefined {
    return this.#file.asks;
  }

  /**
   * To disk at once: a session that is known must survive whatever happens next. `told` are sentences of the human
   * that the session's prompt carries, and that it need not be told again.
   */
  remember(step: string, sessionId: string, told: readonly string[] = []): void {
    const words = told.map(tidyLines).filter((text) => text !== "");
    if (this.#file.steps[step] === sessionId && words.every((text) => this.#file.asks?.includes(text)))
      return;
    this.#update((file) => ({
      ...file,
      steps: { ...file.steps, [step]: sessionId },
      ...(words.length === 0 ? {} : { asks: [...new Set([...(file.asks ?? []), ...words])] }),
    }));
  }

  /** Counts a wake. */
  bump(): void {
    this.#update((file) => ({ ...file, woke: file.woke + 1 }));
  }

  /**
   * Moves the `extra` files that exist and the lineage into `<into>/<stamp>/` and begins an empty one. Returns the
   * directory, undefined when there was nothing to move. Throws `workflow/cannot-archive`, and what `base/files`
   * throws.
   *
   * Contract: the lineage goes last and the files in the order given, so that a crash in between leaves no brief
   * whose conversation is gone. What could not be moved is still where it was, and the next call moves it.
   */
  archive(into: string, options: { extra?: readonly string[] } = {}): string | undefined {
    return withFileLock(this.path, () => {
      const target = freePath(join(into, stamp(this.#clock.now())));
      const moved = [...new Set([...(options.extra ?? []), this.path])].filter((path) =>
        this.#moveInto(target, path),
      );
      this.#file = this.#empty();
      return moved.length === 0 ? undefined : target;
    });
  }

  #moveInto(directory: string, path: string): boolean {
    try {
      return moveFile(path, () => {
        ensureDirectory(directory);
        return freePath(join(directory, basename(path)));
      });
    } catch (thrown) {
      if (thrown instanceof FlowerError) throw thrown;
      const say = workflowMessages[this.lang];
      throw new FlowerError(
        "workflow/cannot-archive",
        say.cannotArchive(path, directory, errorText(thrown)),
        {
          hint: say.cannotArchiveHint,
          cause: thrown,
        },
      );
    }
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
    if (realPath(file.workspace) === realPath(this.workspace)) return { kind: "ours", file };
    return this.#hasMoved(file.workspace)
      ? { kind: "ours", file: { ...file, workspace: this.workspace } }
      : { kind: "foreign" };
  }

  /**
   * A run directory inside its workspace was moved or copied along with it, and one elsewhere belongs to a workspace
   * that is gone: the conversation goes on (SPEC 20.10). One that two workspaces share belongs to the other.
   */
  #hasMoved(recorded: string): boolean {
    return isInside(realPath(this.workspace), realPath(dirname(this.path))) || !existsSync(recorded);
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

/** A directory by whichever name it was given: sessions are filed under its real path. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
