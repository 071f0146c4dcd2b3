// Bodies too big for one NATS message: cut by the sender, put together by the receiver.
// The parts of one body arrive in order; those of different bodies may be interleaved.

import { ENTRY_OVERHEAD, entrySize, KIND, wholeEntry } from './frame.js';
import type { Entry, Outgoing } from './frame.js';

/** Puts cut bodies together again. */
export interface Reassembly {
  /** @returns the complete entry, or nothing while parts are missing */
  accept(entry: Entry): Entry | undefined;
  /** Throws away the parts of a body that nobody waits for any longer. */
  forget(id: number): void;
}

interface Parts {
  readonly head: string;
  readonly bodies: Buffer[];
}

/**
 * The entry as parts of at most `limit` bytes each; itself, when it is not bigger. The head travels with the first part.
 * @throws {RangeError} when the head alone leaves no room for a part of the body
 */
export function cut(entry: Outgoing, limit: number): readonly Outgoing[] {
  if (entrySize(entry) <= limit) return [entry];
  const first = limit - ENTRY_OVERHEAD - entry.headBytes;
  if (first < 1) throw new RangeError(`a head of ${entry.headBytes} bytes does not fit into ${limit}`);
  const body = typeof entry.body === 'string' ? Buffer.from(entry.body) : entry.body;
  const parts: Outgoing[] = [
    { ...wholeEntry(entry.id, entry.head, body.subarray(0, first)), kind: KIND.more },
  ];
  for (let at = first; at < body.length; at += limit - ENTRY_OVERHEAD) {
    const end = at + limit - ENTRY_OVERHEAD;
    const kind = end >= body.length ? KIND.last : KIND.more;
    parts.push({ ...wholeEntry(entry.id, '', body.subarray(at, end)), kind });
  }
  return parts;
}

/** An empty desk for putting bodies together. */
export function createReassembly(): Reassembly {
  const waiting = new Map<number, Parts>();
  return {
    accept: (entry) => (entry.kind === KIND.whole ? entry : acceptPart(waiting, entry)),
    forget: (id) => void waiting.delete(id),
  };
}

function acceptPart(waiting: Map<number, Parts>, entry: Entry): Entry | undefined {
  const parts = waiting.get(entry.id) ?? { head: entry.head, bodies: [] };
  parts.bodies.push(entry.body);
  if (entry.kind === KIND.more) {
    waiting.set(entry.id, parts);
    return undefined;
  }
  waiting.delete(entry.id);
  return { id: entry.id, kind: KIND.whole, head: parts.head, body: Buffer.concat(parts.bodies) };
}
