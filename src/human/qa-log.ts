import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { stamp } from "../base/ids.ts";
import { plainText } from "../base/text.ts";
import type { Lang } from "../lang/lang.ts";
import { HUMAN_MESSAGES } from "../lang/messages/human.ts";
import { type Ask, createAsk } from "./ask.ts";
import type { Mail } from "./mail.ts";

/**
 * The entry for a question, or for its ending. What a model or a human wrote is quoted line by line, so that it can
 * neither look like an entry of its own nor like ours.
 */
export function askEntry(ask: Ask, lang: Lang): string {
  const texts = HUMAN_MESSAGES[lang];
  const at = readableTime(ask.askedAt + ask.waitedS * 1000);
  if (ask.state === "asked") {
    const options = ask.options.map((option, index) => quote(option, `${index + 1}. `));
    return entry(texts.logAsked(ask.id, at), [quote(ask.question), ...options]);
  }
  const heading = texts.logEnded(ask.id, at, texts.states[ask.state], ask.waitedS);
  return entry(heading, ask.answer === null ? [] : [quote(ask.answer)]);
}

/** The entry for unasked words, written when they are sent. */
export function mailEntry(mail: Mail, lang: Lang): string {
  return entry(HUMAN_MESSAGES[lang].logMail(mail.id, readableTime(mail.sentAt)), [quote(mail.text)]);
}

/** The entries of all questions and mail, by time. */
export function transcriptOf(asks: readonly Ask[], mail: readonly Mail[], lang: Lang): string {
  const opened = asks.map((ask) => createAsk({ ...ask, state: "asked", answer: null, waitedS: 0 }));
  const entries = [
    ...opened.map((ask) => ({ at: ask.askedAt, text: askEntry(ask, lang) })),
    ...asks
      .filter(({ state }) => state !== "asked")
      .map((ask) => ({ at: ask.askedAt + ask.waitedS * 1000, text: askEntry(ask, lang) })),
    ...mail.map((one) => ({ at: one.sentAt, text: mailEntry(one, lang) })),
  ];
  return entries
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join("");
}

/**
 * Appends one entry in one write, so that a crash leaves either all of it or nothing. The file and its directory
 * are created, with a title.
 */
export function appendEntry(path: string, text: string, lang: Lang): void {
  mkdirSync(dirname(path), { recursive: true });
  const title = existsSync(path) ? "" : `# ${HUMAN_MESSAGES[lang].logTitle}\n\n`;
  appendFileSync(path, `${title}${text}`);
}

function entry(heading: string, paragraphs: readonly string[]): string {
  return [`## ${heading}`, ...paragraphs].map((paragraph) => `${paragraph}\n\n`).join("");
}

/** As a Markdown quotation; every kind of line break begins a quoted line. */
function quote(text: string, prefix = ""): string {
  const lines = plainText(text.replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, "\n")).split("\n");
  return lines.map((line, index) => `> ${index === 0 ? prefix : ""}${line}`.trimEnd()).join("\n");
}

/** `YYYY-mm-dd HH:MM:SS` in local time. */
function readableTime(epochMs: number): string {
  return stamp(epochMs).replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3 $4:$5:$6");
}
