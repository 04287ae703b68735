import type { Event, EventSink } from "./event.ts";

/** A sink that never throws: what the given one throws lands in `errors`, at most the last hundred. */
export function safeSink(sink: EventSink | undefined, errors: unknown[]): EventSink {
  return (event: Event) => {
    if (sink === undefined) return;
    try {
      sink(event);
    } catch (thrown) {
      errors.push(thrown);
      if (errors.length > 100) errors.shift();
    }
  };
}
