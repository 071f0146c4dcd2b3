// The practices that a person may act in, and the person's roles: the memberships by person. Each row is written in the
// transaction that changes the membership.

import { type Identity, type PracticeRole, problemFor } from '@practice/core';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { keepFirstStanding, keepStanding, selectStanding, type StandingRow } from '../store/raw-sql.js';
import { Access } from '../store/practice.entities.js';
import { PracticeRecord } from '../store/record.entities.js';
import { actForCaller, actForMember } from '../store/transactions.js';
import { addressOf } from './users.js';

/** The role of a person in a practice, and the requirement of the practice. */
export interface Standing {
  readonly therapistId: string;
  readonly role: PracticeRole;
  /** Whether the practice requires a second factor. */
  readonly requiresMfa: boolean;
  /** Whether a session needs another proof to begin there, because the owner of another practice has reset the second factors. */
  readonly isHeld: boolean;
}

/** A person in a practice. */
export interface Member {
  readonly userId: string;
  readonly therapistId: string;
}

/**
 * Chooses the practice in which a session of the user begins: the preferred practice if the user is a member of it, else the practice
 * that the user opened, else another one. Practices where the access is held are skipped. Returns undefined when no practice is left. The
 * row is locked until the session is stored: a practice that begins to require a second factor waits for the session and ends it.
 */
export async function accessOf(
  tables: EntityManager,
  userId: string,
  preferred: string | null,
): Promise<Standing | undefined> {
  const [found] = await keepFirstStanding(tables, userId, preferred);
  return found && standingOf(found);
}

/** Every practice that the user of the transaction may act in. */
export async function practicesOf(tables: EntityManager, userId: string): Promise<Standing[]> {
  const where = { userId, role: Not(IsNull()) };
  return (await tables.find(Access, { where, order: { therapistId: 'ASC' } })).map(standingOf);
}

/**
 * The practices of the user of the transaction with their names; null where the access is held. Afterwards, the transaction acts for
 * the user in one of these practices.
 */
export async function namedPracticesOf(
  tables: EntityManager,
  userId: string,
): Promise<(Standing & { readonly name: string | null })[]> {
  const named: (Standing & { readonly name: string | null })[] = [];
  for (const standing of await practicesOf(tables, userId)) {
    const { therapistId, isHeld } = standing;
    if (!isHeld) await actForMember(tables, { userId, therapistId });
    named.push({ ...standing, name: isHeld ? null : ((await nameOf(tables, therapistId)) ?? null) });
  }
  return named;
}

/** The name of the practice that the transaction acts for. */
export async function nameOf(tables: EntityManager, therapistId: string): Promise<string | undefined> {
  return (await tables.findOneBy(PracticeRecord, { therapistId, id: therapistId }))?.name;
}

/**
 * The standing of the user of the transaction in a practice; undefined when the user is not a member.
 * @param options.isKept locks it until the transaction ends, as `accessOf` does
 */
export async function standingIn(
  tables: EntityManager,
  { userId, therapistId }: Member,
  { isKept = false } = {},
): Promise<Standing | undefined> {
  const [found] = await (isKept ? keepStanding : selectStanding)(tables, userId, therapistId);
  return found && standingOf(found);
}

const standingOf = ({ therapistId, role, requiresMfa, heldUntil }: StandingRow): Standing => ({
  therapistId,
  role: role as PracticeRole,
  requiresMfa,
  isHeld: heldUntil !== null && heldUntil.valueOf() > Date.now(),
});

/** Whether the practice requires a second factor that the session of the person lacks. */
export const lacksFactor = ({ requiresMfa }: Standing, { aal }: Pick<Identity, 'aal'>): boolean =>
  requiresMfa && aal === undefined;

/** The problem of a call for a person who is not in the practice, or who does not exist. */
export const notMember = problemFor('PM404', {
  message: 'the practice has no active member with this user_id',
});

/** The addresses of the owners. Afterwards, the transaction acts for one of them. */
export async function ownersOf(tables: EntityManager, therapistId: string): Promise<string[]> {
  const owners = await tables.find(Access, {
    where: { therapistId, role: 'owner' },
    order: { userId: 'ASC' },
  });
  const addresses: string[] = [];
  for (const { userId } of owners) {
    await actForCaller(tables, userId);
    addresses.push((await addressOf(tables, userId)) ?? '');
  }
  return addresses.filter((address) => address !== '');
}
