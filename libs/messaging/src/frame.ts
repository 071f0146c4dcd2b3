// The frame: how many requests, or many replies, share one NATS message. It costs a message, not bytes, to cross
// the bus, so everything that one event-loop tick has to say to one receiver goes as one frame.
// Layout, repeated until the frame ends (little endian): id u32, kind u8, head length u32, body length u32,
// head (UTF-8 JSON), body (bytes). A frame knows nothing of what head and body mean.

/** Whether an entry is complete, or a part of a body that had to be cut (`more`), or that body's end (`last`). */
export const KIND = { whole: 0, more: 1, last: 2 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

/** An entry as it was received. `body` is a view of the received bytes, not a copy. */
export interface Entry {
  readonly id: number;
  readonly kind: Kind;
  readonly head: string;
  readonly body: Buffer;
}

/** An entry on its way out, with its sizes in bytes already known. */
export interface Outgoing {
  readonly id: number;
  readonly kind: Kind;
  readonly head: string;
  readonly headBytes: number;
  readonly body: string | Uint8Array;
  readonly bodyBytes: number;
}

/** Bytes of an entry beside its head and body. */
export const ENTRY_OVERHEAD = 13;

/** Bytes that are no frame: cut short, or of an unknown kind. */
export class FrameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FrameError';
  }
}

/** An entry holding the whole body, measured but not yet copied: a string is written into the frame directly. */
export function wholeEntry(id: number, head: string, body: string | Uint8Array): Outgoing {
  return {
    id,
    kind: KIND.whole,
    head,
    headBytes: Buffer.byteLength(head),
    body,
    bodyBytes: typeof body === 'string' ? Buffer.byteLength(body) : body.length,
  };
}

/** The bytes that `entry` takes in a frame. */
export function entrySize(entry: Outgoing): number {
  return ENTRY_OVERHEAD + entry.headBytes + entry.bodyBytes;
}

/**
 * Writes the entries one after another into one buffer.
 * @param size the sum of their `entrySize`s
 */
export function encodeFrame(entries: readonly Outgoing[], size: number): Buffer {
  const frame = Buffer.allocUnsafe(size);
  let at = 0;
  for (const entry of entries) {
    frame.writeUInt32LE(entry.id, at);
    frame[at + 4] = entry.kind;
    frame.writeUInt32LE(entry.headBytes, at + 5);
    frame.writeUInt32LE(entry.bodyBytes, at + 9);
    at += ENTRY_OVERHEAD;
    frame.write(entry.head, at, entry.headBytes, 'utf8');
    at += entry.headBytes;
    if (typeof entry.body === 'string') frame.write(entry.body, at, entry.bodyBytes, 'utf8');
    else frame.set(entry.body, at);
    at += entry.bodyBytes;
  }
  return frame;
}

/**
 * Reads every entry of a frame, or none.
 * @throws {FrameError} when the bytes are no frame
 */
export function decodeFrame(bytes: Uint8Array): Entry[] {
  const frame = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: Entry[] = [];
  let at = 0;
  while (at < frame.length) {
    if (frame.length - at < ENTRY_OVERHEAD) throw new FrameError('a frame ends within an entry');
    const headStart = at + ENTRY_OVERHEAD;
    const bodyStart = headStart + frame.readUInt32LE(at + 5);
    const end = bodyStart + frame.readUInt32LE(at + 9);
    if (end > frame.length) throw new FrameError('a frame is shorter than its entries say');
    entries.push({
      id: frame.readUInt32LE(at),
      kind: kindOf(frame[at + 4]),
      head: frame.toString('utf8', headStart, bodyStart),
      body: frame.subarray(bodyStart, end),
    });
    at = end;
  }
  return entries;
}

function kindOf(byte: number | undefined): Kind {
  if (byte === KIND.whole || byte === KIND.more || byte === KIND.last) return byte;
  throw new FrameError(`a frame has an entry of unknown kind ${byte}`);
}
