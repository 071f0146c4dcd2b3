// The locks of a transaction over several practices. All transactions lock practices in the order of their ids.

import { actToWrite, asSystem, lockPractices, openPractice, pipeline } from '@practice/log';
import type { Statement, TextRow } from '@practice/log';
import { kinds } from '@practice/resource';
import type { ClientBase } from 'pg';

export interface Locks {
  readonly service: string;
  /** The practices that the transaction has locked so far. */
  readonly locked: Set<string>;
}

/** A practice that has to be locked before others, and that another transaction holds. */
export class LateLock extends Error {
  constructor(readonly therapistId: string) {
    super('practices are locked in the order of their ids');
  }
}

/** Locks practices that a transaction will need, in the order of their ids. */
export async function lockInOrder(
  client: ClientBase,
  { service, locked }: Locks,
  { practices, begin }: { readonly practices: readonly string[]; readonly begin: readonly Statement[] },
): Promise<void> {
  await pipeline(client, begin);
  for (const therapistId of [...practices].sort()) {
    await lockedHead(client, { service, therapistId, begin: [] });
    locked.add(therapistId);
  }
}

/**
 * Locks a practice, for which the transaction acts from now on.
 * @param begin sent before, with the same round trip
 * @throws {LateLock} when waiting for the practice could be a deadlock
 */
export async function lockPractice(
  client: ClientBase,
  locks: Locks,
  { therapistId, begin = [] }: { readonly therapistId: string; readonly begin?: readonly Statement[] },
): Promise<LockedHead> {
  await requireOrder(client, locks, therapistId);
  const head = await lockedHead(client, { service: locks.service, therapistId, begin });
  locks.locked.add(therapistId);
  return head;
}

async function requireOrder(
  client: ClientBase,
  { service, locked }: Locks,
  therapistId: string,
): Promise<void> {
  if (locked.has(therapistId) || [...locked].every((earlier) => earlier < therapistId)) return;
  const rows = (
    await pipeline(client, [
      actToWrite([asSystem(therapistId)]),
      lockPractices(service, [therapistId], 'skip'),
    ])
  ).at(-1);
  if (rows?.length === 0) throw new LateLock(therapistId);
}

/** The end of the log of a locked practice. */
export interface LockedHead {
  readonly position: number;
  /** When it was locked: not before its last event was recorded. */
  readonly lockedAt: string;
  /** When the practice is erased; null unless it is closed. */
  readonly eraseAt: string | null;
}

async function lockedHead(
  client: ClientBase,
  { service, therapistId, begin }: Log & { readonly begin: readonly Statement[] },
): Promise<LockedHead> {
  const lock = lockPractices(service, [therapistId], 'wait');
  const [head] = (await pipeline(client, [...begin, actToWrite([asSystem(therapistId)]), lock])).at(-1) ?? [];
  if (head !== undefined) return headOf(head);
  const [, [opened] = []] = await pipeline(client, [openPractice(service, therapistId), lock]);
  if (opened === undefined) throw new Error(`${therapistId} has no head to lock`);
  return headOf(opened);
}

const headOf = ([, position, , lockedAt, eraseAt]: TextRow): LockedHead => ({
  position: Number(position),
  lockedAt: kinds.timestamp.fromText(String(lockedAt)),
  eraseAt: eraseAt == null ? null : kinds.timestamp.fromText(eraseAt),
});

interface Log {
  readonly service: string;
  readonly therapistId: string;
}
