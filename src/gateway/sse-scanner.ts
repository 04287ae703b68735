/** One event of a stream of server-sent events. */
export interface SseEvent {
  /** Of the `event:` line; empty when there was none. */
  readonly name: string;
  /** Undefined when nobody wanted it, or when it was longer than anybody would want to hold. */
  readonly data: string | undefined;
}

export interface SseScanner {
  /** Takes the next bytes, cut anywhere. Events that they complete are told before it returns. */
  write(chunk: Buffer): void;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const COLON = 58;
const EMPTY = Buffer.alloc(0);

/**
 * Reads events from bytes as they come, without changing or keeping them.
 *
 * Contract: lines end with LF, CRLF or CR; comments and unknown fields are passed over; an event without data is
 * none. Never throws on any bytes. Holds at most `maxDataBytes` of one event, and of an event that is not
 * `wanted` by name nothing at all. An event without a name is always read.
 */
export function createSseScanner(options: {
  readonly wanted: ReadonlySet<string>;
  readonly onEvent: (event: SseEvent) => void;
  readonly maxDataBytes: number;
}): SseScanner {
  const { wanted, onEvent, maxDataBytes } = options;
  let partial: Buffer[] = [];
  let partialBytes = 0;
  let afterCarriageReturn = false;
  let event = emptyEvent();

  const endLine = (rest: Buffer): void => {
    const line = partial.length === 0 ? rest : Buffer.concat([...partial, rest]);
    const isCut = partialBytes > maxDataBytes;
    partial = [];
    partialBytes = 0;
    if (line.length > 0) {
      takeLine(line, isCut);
    } else {
      if (event.hasData) onEvent({ name: event.name, data: event.isKept ? dataOf(event.data) : undefined });
      event = emptyEvent();
    }
  };
  const takeLine = (line: Buffer, isCut: boolean): void => {
    const colon = line.indexOf(COLON);
    const field = line.toString("latin1", 0, colon === -1 ? line.length : Math.min(colon, 8));
    const value = colon === -1 ? EMPTY : line.subarray(line[colon + 1] === 32 ? colon + 2 : colon + 1);
    if (field === "event") {
      event.name = value.toString("utf8", 0, 200);
    } else if (field === "data") {
      event.hasData = true;
      event.bytes += value.length;
      event.isKept &&= !isCut && event.bytes <= maxDataBytes;
      if (event.isKept) event.data.push(value);
    }
    event.isKept &&= event.name === "" || wanted.has(event.name);
    if (!event.isKept) event.data = [];
  };
  const keepPartial = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    partialBytes += bytes.length;
    // A copy: the chunk that it is a part of may be large, and belongs to somebody else.
    if (partialBytes <= maxDataBytes) partial.push(Buffer.from(bytes));
  };

  return {
    write: (chunk) => {
      let from = afterCarriageReturn && chunk[0] === LINE_FEED ? 1 : 0;
      if (chunk.length > 0) afterCarriageReturn = false;
      let lineFeed = chunk.indexOf(LINE_FEED, from);
      let carriageReturn = chunk.indexOf(CARRIAGE_RETURN, from);
      while (lineFeed !== -1 || carriageReturn !== -1) {
        const isReturn = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed);
        const end = isReturn ? carriageReturn : lineFeed;
        // Most of a stream is data that nobody wants: passed over without a buffer for every line.
        if (!event.isKept && partial.length === 0 && isData(chunk, from, end)) event.hasData = true;
        else endLine(chunk.subarray(from, end));
        from = end + 1;
        if (isReturn && from === chunk.length) afterCarriageReturn = true;
        if (isReturn && chunk[from] === LINE_FEED) from += 1;
        if (lineFeed !== -1 && lineFeed < from) lineFeed = chunk.indexOf(LINE_FEED, from);
        if (carriageReturn !== -1 && carriageReturn < from)
          carriageReturn = chunk.indexOf(CARRIAGE_RETURN, from);
      }
      keepPartial(chunk.subarray(from));
    },
  };
}

/** Whether these bytes begin with `data:`. */
function isData(chunk: Buffer, from: number, end: number): boolean {
  return end - from >= 5 && chunk.readUInt32BE(from) === 0x64617461 && chunk[from + 4] === COLON;
}

interface OpenEvent {
  name: string;
  hasData: boolean;
  isKept: boolean;
  bytes: number;
  data: Buffer[];
}

function emptyEvent(): OpenEvent {
  return { name: "", hasData: false, isKept: true, bytes: 0, data: [] };
}

function dataOf(lines: readonly Buffer[]): string {
  return lines.map((line) => line.toString("utf8")).join("\n");
}
