/** The words of a human on their way to the turns that are running: all of them are broken, and hear the words. */
export class Interrupts {
  readonly #running = new Set<(words: string) => void>();

  /** A turn is running and can be broken by `breakTurn`; the returned function says that it is over. */
  attach(breakTurn: (words: string) => void): () => void {
    this.#running.add(breakTurn);
    return () => void this.#running.delete(breakTurn);
  }

  /** False when no turn is running: nothing was broken and the words went nowhere. */
  interrupt(words: string): boolean {
    for (const breakTurn of this.#running) breakTurn(words);
    return this.#running.size > 0;
  }
}
