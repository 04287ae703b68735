/** Sentences one after the other, each but the last with a full stop, and spaced as its language spaces them. */
export function joinSentences(...texts: readonly (string | undefined)[]): string {
  const sentences = texts.filter((text) => text !== undefined).filter((text) => text !== "");
  return sentences.map((text, index) => (index < sentences.length - 1 ? asSentence(text) : text)).join("");
}

/** With a full stop, if it has none, and the space that the language puts after one. */
function asSentence(text: string): string {
  if (/[。!?]$/.test(text)) return text;
  if (/[.!?]$/.test(text)) return `${text} `;
  return /\p{Script=Han}/u.test(text) ? `${text}。` : `${text}. `;
}
