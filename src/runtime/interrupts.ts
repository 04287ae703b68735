/** The words of a human on their way to the turn that is running; one turn at a time. */
export class Interrupts {
  #breakTurn: ((words: string) => void) | undefined;

  /** A turn is running and can be broken by `breakTurn`; the returned function says that it is over. */
  attach(breakTurn: (words: string) => void): () => void {
    this.#breakTurn = breakTurn;
    return () => {
      if (this.#breakTurn === breakTurn) this.#breakTurn = undefined;
    };
  }

  /** False when no turn is running: nothing was broken and the words went nowhere. */
  interrupt(words: string): boolean {
    if (this.#breakTurn === undefined) return false;
    this.#breakTurn(words);
    return true;
  }
}
