import type { Event, EventSink } from "./event.ts";

/**
 * A sink that never throws: what the given one throws lands in `errors`, at most the last hundred. One that is
 * asynchronous is not waited for, but its rejection is collected too: it would end the process.
 */
export function safeSink(sink: EventSink | undefined, errors: unknown[]): EventSink {
  const collect = (thrown: unknown): void => {
    errors.push(thrown);
    if (errors.length > 100) errors.shift();
  };
  return (event: Event) => {
    if (sink === undefined) return;
    try {
      const returned: unknown = sink(event);
      if (returned instanceof Promise) returned.catch(collect);
    } catch (thrown) {
      collect(thrown);
    }
  };
}
