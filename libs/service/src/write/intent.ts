// What a write asks of each record it is about: one intent per record, decided one after another.

import { reject, Rejection } from '@practice/core';
import { checkRecord, entries } from '@practice/resource';
import type { Command, Resource, Row, Value } from '@practice/resource';
import type { Versioned } from '../storage/tables.js';

export interface Intent {
  readonly id: string;
  readonly command: Command;
  readonly state: Row | null;
  readonly version: number;
}

/** A change of a record, down to what is different from what it holds. */
export function changeOf(resource: Resource, values: Row, { row, version }: Versioned): Intent {
  const changes: Record<string, Value> = {};
  for (const [name, column] of entries(resource.columns)) {
    const value = values[name];
    if (value === undefined || isSame(value, row[name])) continue;
    if (column.readOnly === true) reject(fixed(name));
    changes[name] = value;
  }
  // Before a decider sees it: its rules are about records that keep what their definition asks.
  checkRecord(resource, { ...row, ...changes }, { before: 'change' });
  return { id: String(row['id']), command: { kind: 'change', changes }, state: row, version };
}

export const deletionOf = ({ row, version }: Versioned): Intent => ({
  id: String(row['id']),
  command: { kind: 'delete' },
  state: row,
  version,
});

/** True when there is nothing to decide: the record already is as it is wished to be. */
export const changesNothing = ({ command }: Intent): boolean =>
  command.kind === 'change' && Object.keys(command.changes).length === 0;

/** Runs a step for one of several records, so that a refusal tells which of them it is about. */
export function forRecord<T>(index: number, count: number, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (count === 1 || !(error instanceof Rejection)) throw error;
    const { details } = error.problem;
    throw new Rejection({
      ...error.problem,
      details: `Record at index ${index}${details ? `: ${details}` : '.'}`,
    });
  }
}

const isSame = (one: Value, other: Value | undefined): boolean =>
  one === other || (typeof one === 'object' && one !== null && JSON.stringify(one) === JSON.stringify(other));

/** As Postgres words it for a column that its table keeps to itself. */
const fixed = (column: string) => ({
  status: 400,
  code: '428C9',
  message: `column "${column}" can only be updated to the value it has`,
});
