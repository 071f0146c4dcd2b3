// Columns that a new record fills with its caller.

import { problemFor, reject } from '@practice/core';
import { notAmong, type Among } from './among.js';
import type { Command, Lookup, LookupContext } from './decider.js';
import type { Resource } from './resource.js';
import { entries, type Row } from './row.js';
import { lookupOf, rowsOf } from './shared-columns.js';
import { matches } from './where.js';

/** The lookups of people that a new record names. */
export const callerLookups = ({ columns }: Resource, command: Command): Lookup[] =>
  entries(columns).flatMap(([name, { caller: { ownersChoose: among } = {} }]) =>
    among === undefined || command.kind !== 'create' || command.isUndo === true
      ? []
      : lookupOf(among.resource, command.record[name], among.column),
  );

/**
 * A new record with its caller filled in. Without a caller the record does not change.
 * @throws {Rejection} 42501 for another person than the caller, 23503 for a person whom an owner cannot choose
 */
export function withCaller({ columns }: Resource, record: Row, context: LookupContext): Row {
  const { by } = context;
  if (by === undefined) return record;
  const row = { ...record };
  for (const [name, { caller }] of entries(columns)) {
    if (caller === undefined) continue;
    const named = (row[name] ??= by.userId);
    if (named === by.userId) continue;
    const { ownersChoose: among } = caller;
    if (among === undefined || by.practiceRole !== 'owner') return reject(notYou(name, among));
    const found = rowsOf(context, among, String(named));
    if (!found.some((one) => matches(among.where, one))) reject(notAmong(name, among, String(named)));
  }
  return row;
}

const notYou = (name: string, among: Among | undefined) =>
  problemFor('42501', {
    message: `${name} must be your own user id, or be left out`,
    details: among ? `Only owners set ${name} to another one.` : `${name} can only be the caller.`,
  });
