// The presences of a topic that one process knows: the presences of its own clients, and the presences that other processes report.

/** The presence of one client. */
export interface Presence {
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The reference of the client's previous presence. */
  readonly previous?: string;
}

/** Presences by their reference, which is unique among all processes. */
export type Presences = Readonly<Record<string, Presence>>;

/** A change of presences. */
export interface PresenceDiff {
  readonly joins: Presences;
  readonly leaves: Presences;
}

/** The known presences of another process. */
interface Peer {
  /** The number of its last change. */
  sequence: number;
  presences: Map<string, Presence>;
}

export class PresenceSet {
  private readonly own = new Map<string, Presence>();
  private readonly peers = new Map<string, Peer>();
  private changes: number;

  /** @param base a number above all numbers of earlier sets of this process and topic: other processes may remember the last number */
  constructor(base: number) {
    this.changes = base;
  }

  /** The number of the last change of this process. */
  get sequence(): number {
    return this.changes;
  }

  /** The presences of this process. */
  get local(): Presences {
    return Object.fromEntries(this.own);
  }

  get localSize(): number {
    return this.own.size;
  }

  /** All presences, in the format for clients. */
  state(): object {
    const all = [this.own, ...[...this.peers.values()].map(({ presences }) => presences)];
    return metasOf(Object.fromEntries(all.flatMap((presences) => [...presences])));
  }

  /** Adds a presence of this process, which replaces the previous presence of the client. */
  track(reference: string, presence: Presence): PresenceDiff {
    const leaves = this.taken(presence.previous);
    this.own.set(reference, presence);
    this.changes += 1;
    return { joins: { [reference]: presence }, leaves };
  }

  /** Removes a presence of this process. */
  untrack(reference: string): PresenceDiff {
    const leaves = this.taken(reference);
    this.changes += 1;
    return { joins: {}, leaves };
  }

  /**
   * Applies a change of another process.
   * @returns undefined if an earlier change was missed: the whole state of the process is needed
   */
  hear(process: string, sequence: number, { joins, leaves }: PresenceDiff): PresenceDiff | undefined {
    const peer = this.peers.get(process) ?? { sequence: 0, presences: new Map<string, Presence>() };
    if (sequence <= peer.sequence) return { joins: {}, leaves: {} };
    if (sequence !== peer.sequence + 1) return undefined;
    this.peers.set(process, peer);
    peer.sequence = sequence;
    for (const reference of Object.keys(leaves)) peer.presences.delete(reference);
    for (const [reference, presence] of Object.entries(joins)) peer.presences.set(reference, presence);
    return { joins, leaves };
  }

  /** Replaces the whole state of another process. */
  replace(process: string, sequence: number, presences: Presences): PresenceDiff {
    const before = this.peers.get(process)?.presences ?? new Map<string, Presence>();
    const after = new Map(Object.entries(presences));
    this.peers.set(process, { sequence, presences: after });
    return { joins: without(after, before), leaves: without(before, after) };
  }

  /** Forgets another process and the presences of its clients. */
  forget(process: string): PresenceDiff {
    const before = this.peers.get(process)?.presences ?? new Map<string, Presence>();
    this.peers.delete(process);
    return { joins: {}, leaves: Object.fromEntries(before) };
  }

  private taken(reference: string | undefined): Presences {
    const presence = reference === undefined ? undefined : this.own.get(reference);
    if (reference === undefined || presence === undefined) return {};
    this.own.delete(reference);
    return { [reference]: presence };
  }
}

const without = (all: ReadonlyMap<string, Presence>, others: ReadonlyMap<string, Presence>): Presences =>
  Object.fromEntries([...all].filter(([reference]) => !others.has(reference)));

export const isEmpty = ({ joins, leaves }: PresenceDiff): boolean =>
  Object.keys(joins).length + Object.keys(leaves).length === 0;

/** A change in the format for clients. */
export const diffMessage = ({ joins, leaves }: PresenceDiff): object => ({
  joins: metasOf(joins),
  leaves: metasOf(leaves),
});

/** Presences by their key, in the format of Phoenix: `{ key: { metas: [{ phx_ref, … }] } }`. */
function metasOf(presences: Presences): object {
  const byKey = new Map<string, { metas: object[] }>();
  for (const [reference, { key, payload, previous }] of Object.entries(presences)) {
    const found = byKey.get(key) ?? { metas: [] };
    const links = { phx_ref: reference, ...(previous !== undefined && { phx_ref_prev: previous }) };
    found.metas.push({ ...payload, ...links });
    byKey.set(key, found);
  }
  return Object.fromEntries(byKey);
}
