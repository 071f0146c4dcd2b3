// Tests of rules as sentences: given these events, when this command arrives, then these events follow, or it is rejected.

import { expect } from '@jest/globals';
import { Rejection, type ErrorCode, type Event, type Identity, type Problem } from '@practice/core';
import { checkRecord, evolve, holds, isCarried } from '@practice/resource';
import type { DeciderOf, Named, Resource, Row, RowOf } from '@practice/resource';
import { lookedUp, withMore, type Rows } from './lookups.js';

interface Story<Asked, Decided> {
  /** Adds other records that the decision can look up. A test names only the columns that matter to it. */
  among<D extends Named>(definition: D, ...rows: readonly Partial<RowOf<D>>[]): Story<Asked, Decided>;
  /** Sets the caller of the command. */
  by(caller: Partial<Identity>): Story<Asked, Decided>;
  when(command: Asked): Outcome<Decided>;
}

interface Outcome<Decided> {
  /** Expects exactly these events, in this order. */
  then(...events: readonly Decided[]): void;
  /** Expects no event, because the record is already as the command requests. */
  thenNothing(): void;
  /** Expects a rejection with this code, and with these details if given. */
  thenRejects(code: ErrorCode, details?: string | RegExp): void;
}

export const NOW = '2026-05-01T08:00:00+00:00';

interface Setting {
  readonly rows: Rows;
  readonly by?: Identity;
}

/**
 * Starts a sentence about a decider: `given(scheduled(), confirmed()).when(cancel()).then(cancelled())`.
 * `given()` means that the record does not exist yet. Events are folded and records are checked as in the write path.
 */
export function specOf<D extends Resource, State, Asked, Decided extends Event>(
  decider: DeciderOf<D, State, Asked, Decided>,
): (...history: readonly Decided[]) => Story<Asked, Decided> {
  const story = (history: readonly Decided[], setting: Setting): Story<Asked, Decided> => ({
    among: (definition, ...more) =>
      story(history, { ...setting, rows: withMore(setting.rows, definition, more) }),
    by: (caller) => story(history, { ...setting, by: caller as Identity }),
    when: (command) => outcomeOf(() => decide(decider, history, { command, ...setting })),
  });
  return (...history) => story(history, { rows: new Map() });
}

function decide<State, Asked, Decided extends Event>(
  decider: DeciderOf<Resource, State, Asked, Decided>,
  history: readonly Decided[],
  { command, rows, by }: Setting & { readonly command: Asked },
): readonly Decided[] {
  const { definition } = decider;
  const state = fold(definition, null, history) as State | null;
  const context = {
    now: NOW,
    ...(by !== undefined && { by }),
    rows: lookedUp(rows, decider.lookups(command, state)),
  };
  const events = decider.decide(command, state, context);
  fold(definition, state as Row | null, events);
  return events;
}

/** The record after these events. Fails when an event or the record does not match the definition. */
function fold(resource: Resource, before: Row | null, events: readonly Event[]): Row | null {
  for (const event of events) checkShape(resource, event);
  const row = events.reduce<Row | null>(
    (state, event) => evolve(resource, state, { ...event, recordedAt: NOW }),
    before,
  );
  if (row !== null) checkRecord(resource, row);
  return row;
}

/** Checks that an event has only the columns that its definition lists, and internal and computed columns. */
function checkShape({ events, columns }: Resource, { type, data }: Event): void {
  const shape = events[type] ?? [];
  const isHeld = (column: string): boolean =>
    holds(shape, column) || (shape !== 'deleted' && isCarried(columns[column] ?? {}));
  const surplus = Object.keys(data).filter((column) => !isHeld(column));
  expect({ type, surplus }).toEqual({ type, surplus: [] });
}

const textOf = (details: Problem['details']): string =>
  typeof details === 'string' ? details : JSON.stringify(details ?? '');

function outcomeOf<Decided>(step: () => readonly Decided[]): Outcome<Decided> {
  return {
    then: (...events) => expect(step()).toEqual(events),
    thenNothing: () => expect(step()).toEqual([]),
    thenRejects: (code, details) => {
      const { problem } = rejectionOf(step);
      expect(problem.code).toBe(code);
      if (details !== undefined) expect(textOf(problem.details)).toMatch(details);
    },
  };
}

function rejectionOf(step: () => unknown): Rejection {
  try {
    step();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('the command was not rejected');
}
