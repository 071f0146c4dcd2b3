// A frame: many requests, or many replies, in one NATS message. The cost of the bus is per message, not per byte, so all entries that
// one event-loop tick sends to one receiver share a frame.
// Layout (little endian): version u8, then for each entry: id u32, kind u8, envelope length u32, body length u32,
// envelope (UTF-8 JSON), body (bytes). The code for frames does not read envelopes and bodies.

/**
 * The version of the protocol between processes: this layout, the envelopes (`request.ts`) and the parsed requests in them
 * (`wire` of libs/query). Increase it with any change that an older process would misread.
 */
export const FRAME_VERSION = 5;

/** The bytes before the first entry. */
export const FRAME_OVERHEAD = 1;

/** An entry holds a whole body, or a chunk of a large body. After a chunk of kind `more`, other chunks follow. */
export const KIND = { whole: 0, more: 1, last: 2 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

/** A received entry. `body` is a view of the received bytes, not a copy. */
export interface Entry {
  readonly id: number;
  readonly kind: Kind;
  readonly envelope: string;
  readonly body: Buffer;
}

/** An entry to send, with its sizes in bytes. */
export interface Outgoing {
  readonly id: number;
  readonly kind: Kind;
  readonly envelope: string;
  readonly envelopeBytes: number;
  readonly body: string | Uint8Array;
  readonly bodyBytes: number;
}

/** Bytes of an entry in addition to its envelope and body. */
export const ENTRY_OVERHEAD = 13;

/** Thrown when bytes are not a frame: they are truncated, or have an unknown kind of entry. */
export class FrameError extends Error {
  override readonly name: string = 'FrameError';
}

/** Thrown when a frame has a version that this process does not understand. */
export class FrameVersionError extends FrameError {
  override readonly name = 'FrameVersionError';

  constructor(version: number | undefined) {
    super(`the frame has version ${version}; this process understands version ${FRAME_VERSION}`);
  }
}

/** An entry with the whole body. The body is measured but not copied. `encodeFrame` writes a string directly into the frame. */
export function wholeEntry(id: number, envelope: string, body: string | Uint8Array): Outgoing {
  return {
    id,
    kind: KIND.whole,
    envelope,
    envelopeBytes: Buffer.byteLength(envelope),
    body,
    bodyBytes: typeof body === 'string' ? Buffer.byteLength(body) : body.length,
  };
}

/** The size of an entry in a frame, in bytes. */
export function entrySize(entry: Outgoing): number {
  return ENTRY_OVERHEAD + entry.envelopeBytes + entry.bodyBytes;
}

/**
 * Writes entries into one buffer.
 * @param size the sum of their `entrySize`s
 */
export function encodeFrame(entries: readonly Outgoing[], size: number): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_OVERHEAD + size);
  frame[0] = FRAME_VERSION;
  let at = FRAME_OVERHEAD;
  for (const entry of entries) {
    frame.writeUInt32LE(entry.id, at);
    frame[at + 4] = entry.kind;
    frame.writeUInt32LE(entry.envelopeBytes, at + 5);
    frame.writeUInt32LE(entry.bodyBytes, at + 9);
    at += ENTRY_OVERHEAD;
    frame.write(entry.envelope, at, entry.envelopeBytes, 'utf8');
    at += entry.envelopeBytes;
    if (typeof entry.body === 'string') frame.write(entry.body, at, entry.bodyBytes, 'utf8');
    else frame.set(entry.body, at);
    at += entry.bodyBytes;
  }
  return frame;
}

/**
 * Reads all entries of a frame.
 * @throws {FrameVersionError} if the frame has another version
 * @throws {FrameError} if the bytes are not a frame; then no entry is returned
 */
export function decodeFrame(bytes: Uint8Array): Entry[] {
  const frame = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (frame[0] !== FRAME_VERSION) throw new FrameVersionError(frame[0]);
  const entries: Entry[] = [];
  let at = FRAME_OVERHEAD;
  while (at < frame.length) {
    if (frame.length - at < ENTRY_OVERHEAD) throw new FrameError('the frame ends within an entry');
    const envelopeStart = at + ENTRY_OVERHEAD;
    const bodyStart = envelopeStart + frame.readUInt32LE(at + 5);
    const end = bodyStart + frame.readUInt32LE(at + 9);
    if (end > frame.length) throw new FrameError('the frame is shorter than its entries say');
    entries.push({
      id: frame.readUInt32LE(at),
      kind: kindOf(frame[at + 4]),
      envelope: frame.toString('utf8', envelopeStart, bodyStart),
      body: frame.subarray(bodyStart, end),
    });
    at = end;
  }
  return entries;
}

function kindOf(byte: number | undefined): Kind {
  if (byte === KIND.whole || byte === KIND.more || byte === KIND.last) return byte;
  throw new FrameError(`the frame has an entry of unknown kind ${byte}`);
}
