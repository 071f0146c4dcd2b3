// Replies that are too large for one NATS message. The sender cuts the body into chunks and the receiver joins them.
// The chunks of a body arrive in order. Chunks of different bodies may be interleaved.

import { ENTRY_OVERHEAD, entrySize, KIND, wholeEntry, type Entry, type Outgoing } from './frame.js';

interface Parts {
  readonly envelope: string;
  readonly bodies: Buffer[];
}

/**
 * Cuts an entry into chunks of at most `limit` bytes. An entry that fits is returned unchanged. The first chunk carries the
 * envelope.
 * @throws {RangeError} if the envelope leaves no room for the body
 */
export function cut(entry: Outgoing, limit: number): readonly Outgoing[] {
  if (entrySize(entry) <= limit) return [entry];
  const first = limit - ENTRY_OVERHEAD - entry.envelopeBytes;
  if (first < 1)
    throw new RangeError(`an envelope of ${entry.envelopeBytes} bytes does not fit into ${limit}`);
  const body = typeof entry.body === 'string' ? Buffer.from(entry.body) : entry.body;
  const parts: Outgoing[] = [
    { ...wholeEntry(entry.id, entry.envelope, body.subarray(0, first)), kind: KIND.more },
  ];
  for (let at = first; at < body.length; at += limit - ENTRY_OVERHEAD) {
    const end = at + limit - ENTRY_OVERHEAD;
    const kind = end >= body.length ? KIND.last : KIND.more;
    parts.push({ ...wholeEntry(entry.id, '', body.subarray(at, end)), kind });
  }
  return parts;
}

export type Reassembly = ReturnType<typeof createReassembly>;

/** Joins the chunks of bodies. */
export function createReassembly() {
  const waiting = new Map<number, Parts>();
  return {
    /** @returns the complete entry, or undefined while chunks are missing */
    accept: (entry: Entry): Entry | undefined =>
      entry.kind === KIND.whole ? entry : acceptPart(waiting, entry),
    /** Drops the chunks of a body that is no longer needed. */
    forget: (id: number): void => void waiting.delete(id),
  };
}

function acceptPart(waiting: Map<number, Parts>, entry: Entry): Entry | undefined {
  const parts = waiting.get(entry.id) ?? { envelope: entry.envelope, bodies: [] };
  parts.bodies.push(entry.body);
  if (entry.kind === KIND.more) {
    waiting.set(entry.id, parts);
    return undefined;
  }
  waiting.delete(entry.id);
  return { id: entry.id, kind: KIND.whole, envelope: parts.envelope, body: Buffer.concat(parts.bodies) };
}
