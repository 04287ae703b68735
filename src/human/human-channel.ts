import { type Clock, systemClock } from "../base/clock.ts";
import { type RandomHex, randomHex } from "../base/ids.ts";
import type { EventSink } from "../events/event.ts";
import { safeSink } from "../events/sink.ts";
import type { Lang } from "../lang/lang.ts";
import { HUMAN_MESSAGES } from "../lang/messages/human.ts";
import { NAMES } from "../lang/names.ts";
import { amendFile } from "./amend-file.ts";
import type { Ask, AskEnding } from "./ask.ts";
import { ASK_TOOL, humanServer, INBOX_TOOL, SERVER_NAME } from "./human-server.ts";
import type { Mail, MailClaim } from "./mail.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import { appendEntry, askEntry, mailEntry, transcriptOf } from "./qa-log.ts";
import { createQuestionDesk, type QuestionDesk } from "./question-desk.ts";
import type { ToolServer } from "./tool-server.ts";

/** Half an hour (SPEC 14): long enough to come back from lunch, short enough not to lose a night. */
const DEFAULT_TIMEOUT_MS = 1_800_000;

export interface HumanChannelOptions {
  /** Told of every question and every piece of mail as it changes. May throw: see `uiErrors`. */
  readonly onEvent?: EventSink | undefined;
  /** Questions that may reach the human; null (default) is unlimited, 0 none. */
  readonly maxAsks?: number | null | undefined;
  /** How long a question waits; null is for ever, 0 or less not at all. Default half an hour. */
  readonly timeoutMs?: number | null | undefined;
  /** Every question, ending and unasked word is appended to this Markdown file as it happens. */
  readonly logPath?: string | undefined;
  /** Unasked words are appended to this document (the brief) at once. */
  readonly amendPath?: string | undefined;
  /** What a model reads in the place of an answer. */
  readonly overBudgetText?: string | undefined;
  readonly timeoutText?: string | undefined;
  readonly declinedText?: string | undefined;
  /** Default "en". */
  readonly lang?: Lang | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: RandomHex | undefined;
}

/** Whoever waits takes one. */
interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one way between a run and the human beside it: models ask through a tool and wait, the human answers, or says
 * something unasked that waits in an inbox. A front end needs `onEvent` or `nextAsk`, and `answer`, `decline`,
 * `send`; it never sees a message of the SDK.
 *
 * Contract: everything that happens is in the log before anybody is told. Nothing that a front end throws, and no
 * disk that is full, ends a run: both are collected in `uiErrors`.
 */
export class HumanChannel {
  readonly toolName: string = `mcp__${SERVER_NAME}__${ASK_TOOL}`;
  readonly inboxName: string = `mcp__${SERVER_NAME}__${INBOX_TOOL}`;
  readonly lang: Lang;
  readonly maxAsks: number | null;
  readonly timeoutMs: number | null;
  readonly logPath: string | undefined;
  readonly amendPath: string | undefined;
  /** A workflow sets its own only when there is none. */
  onEvent: EventSink | undefined;
  /** What `onEvent` threw and what could not be written, at most the last hundred. */
  readonly uiErrors: unknown[] = [];

  readonly #clock: Clock;
  readonly #random: RandomHex;
  readonly #replies: Readonly<Record<Exclude<AskEnding, "answered">, string>>;
  readonly #desk: QuestionDesk;
  readonly #mailbox: Mailbox;
  #numbered = 0;

  constructor(options: HumanChannelOptions = {}) {
    this.lang = options.lang ?? "en";
    this.maxAsks = options.maxAsks ?? null;
    this.timeoutMs = options.timeoutMs === undefined ? DEFAULT_TIMEOUT_MS : options.timeoutMs;
    this.logPath = options.logPath;
    this.amendPath = options.amendPath;
    this.onEvent = options.onEvent;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? randomHex;
    const texts = HUMAN_MESSAGES[this.lang];
    this.#replies = {
      over_budget: options.overBudgetText ?? texts.overBudget,
      timeout: options.timeoutText ?? texts.timeout,
      declined: options.declinedText ?? texts.declined,
      invalid: texts.invalid,
    };
    const emit = safeSink((event) => this.onEvent?.(event), this.uiErrors);
    this.#desk = createQuestionDesk({
      clock: this.#clock,
      maxAsks: this.maxAsks,
      timeoutMs: this.timeoutMs,
      newId: () => this.#newId("q"),
      onChange: (ask) => {
        this.#log(askEntry(ask, this.lang));
        emit(ask.event());
      },
    });
    this.#mailbox = createMailbox({
      now: () => this.#clock.now(),
      onChange: (mail) => {
        if (mail.state === "queued") this.#log(mailEntry(mail, this.lang));
        emit(mail.event());
      },
      onError: (thrown) => this.#collect(thrown),
    });
  }

  /** The channel as tools of an agent. */
  mcpServers(): Record<typeof SERVER_NAME, ToolServer> {
    const ask = async (question: string, options: readonly string[], signal: AbortSignal): Promise<string> =>
      this.#replyTo(await this.ask(question, options, { signal }));
    return { [SERVER_NAME]: humanServer({ ask, inbox: () => this.#readInbox() }, this.lang) };
  }

  /**
   * Asks the human and waits for the ending, which is always a value. Rejects only when the signal aborts: then the
   * question ends as `timeout`, and is not counted.
   */
  ask(question: string, options: readonly string[] = [], { signal }: Waiting = {}): Promise<Ask> {
    return this.#desk.ask(question, options, signal);
  }

  /** Answers an open question; a number picks its option, blank text declines. False when it is not open (any more). */
  answer(id: string, text: string): boolean {
    return this.#desk.answer(id, text);
  }

  /** Leaves an open question to whoever asked it. False when it is not open (any more). */
  decline(id: string): boolean {
    return this.#desk.decline(id);
  }

  /**
   * Waits for the next open question; each is handed out once, in order. It may have ended by the time it is looked
   * at: `answer` says so. Undefined when the channel is closed. Rejects only when the signal aborts.
   */
  nextAsk({ signal }: Waiting = {}): Promise<Ask | undefined> {
    return this.#desk.next(signal);
  }

  /** Open questions, oldest first. */
  pending(): readonly Ask[] {
    return this.#desk.open();
  }

  /** Every question so far as it stands now, oldest first. */
  get asks(): readonly Ask[] {
    return this.#desk.all();
  }

  /** Questions that may still reach the human; -1 when unlimited. */
  get remaining(): number {
    return this.#desk.remaining();
  }

  /**
   * Says something unasked: it goes to `amendPath` and into the log at once. While a turn runs it is said into that
   * turn; otherwise it waits in the inbox until a model has it. Undefined, and nothing done, when `text` is blank.
   */
  send(text: string): Mail | undefined {
    const said = text.trim();
    if (said === "") return undefined;
    this.#guarded(() => this.amend(said));
    return this.#mailbox.put(this.#newId("m"), said);
  }

  /**
   * Appends words to `amendPath`, under `label` (default: added during the run). False, and nothing written, when they
   * stand there already, are blank, or there is no `amendPath`. Throws what `base/files` throws.
   */
  amend(text: string, { label }: { readonly label?: string | undefined } = {}): boolean {
    const said = text.trim();
    if (said === "" || this.amendPath === undefined) return false;
    return amendFile(this.amendPath, {
      label: label ?? NAMES[this.lang].addedDuringRun,
      text: said,
      at: this.#clock.now(),
    });
  }

  /** Mail that no model has and that nobody is delivering. */
  pendingMail(): readonly Mail[] {
    return this.#mailbox.pending();
  }

  /** Takes the pending mail to deliver it in another way than the inbox tool; the claim must be ended. */
  claimMail(): MailClaim {
    return this.#mailbox.claim();
  }

  /**
   * Calls `listener` whenever new mail waits, so that it can be claimed at once; the returned function ends that. A
   * runtime takes the channel as its `mail`.
   */
  onMail(listener: () => void): () => void {
    return this.#mailbox.onPut(listener);
  }

  /** Everything said unasked so far as it stands now, oldest first. */
  get mail(): readonly Mail[] {
    return this.#mailbox.all();
  }

  /** All questions and mail of this process as Markdown, in the form of the log. */
  transcript(): string {
    return transcriptOf(this.asks, this.mail, this.lang);
  }

  /** Nobody will answer any more: open questions, and all that come later, end as `timeout`. Idempotent. */
  close(): void {
    this.#desk.close();
  }

  /** What the model reads as the result of its question. */
  #replyTo(ask: Ask): string {
    if (ask.state === "asked") return ask.question;
    const texts = HUMAN_MESSAGES[this.lang];
    const text = ask.state === "answered" ? texts.answered(ask.answer ?? "") : this.#replies[ask.state];
    return this.remaining > 0 ? `${text}\n${texts.questionsLeft(this.remaining)}` : text;
  }

  #readInbox(): string {
    const texts = HUMAN_MESSAGES[this.lang];
    const claim = this.claimMail();
    claim.confirm();
    return claim.mail.length === 0 ? texts.inboxEmpty : texts.inboxMail(claim.mail.map(({ text }) => text));
  }

  #log(entry: string): void {
    const path = this.logPath;
    if (path !== undefined) this.#guarded(() => appendEntry(path, entry, this.lang));
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#collect(thrown);
    }
  }

  #collect(thrown: unknown): void {
    this.uiErrors.push(thrown);
    if (this.uiErrors.length > 100) this.uiErrors.shift();
  }

  #newId(kind: "q" | "m"): string {
    this.#numbered += 1;
    return `${kind}${this.#numbered}-${this.#random(2)}`;
  }
}
