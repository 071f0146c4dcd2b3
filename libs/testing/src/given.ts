// Rules as sentences: given what happened, when something is wished for, then these are the facts, or the refusal.

import { expect } from '@jest/globals';
import { Rejection } from '@practice/core';
import type { Command, Decider, Event, World } from '@practice/core';
import { evolve } from '@practice/resource';
import type { Resource, Row } from '@practice/resource';

interface Story {
  /** Other records that the decision can look up. */
  among(resource: string, ...rows: readonly object[]): Story;
  when(command: Command<Row>): Outcome;
}

interface Outcome {
  /** Exactly these facts, in this order. */
  then(...events: readonly Event[]): void;
  /** No fact: the wish was fulfilled already. */
  thenNothing(): void;
  /** Refused with this code; `details` where the rule names something. */
  thenRejects(code: string, details?: string | RegExp): void;
}

export const NOW = '2026-05-01T08:00:00+00:00';

/**
 * The stories of one decider.
 * @param lookups which rows of `among` a lookup would find is decided by their columns, as in the database
 */
export function storiesOf(resource: Resource, decider: Decider<never>): (state: object | null) => Story {
  const rules = decider as unknown as Decider<Row>;
  const story = (state: Row | null, rows: ReadonlyMap<string, readonly Row[]>): Story => ({
    among: (name, ...more) =>
      story(state, new Map([...rows, [name, [...(rows.get(name) ?? []), ...(more as Row[])]]])),
    when: (command) => outcomeOf(() => decide(rules, resource, { command, state, rows })),
  });
  return (state) => story(state as Row | null, new Map());
}

function decide(
  decider: Decider<Row>,
  resource: Resource,
  {
    command,
    state,
    rows,
  }: { command: Command<Row>; state: Row | null; rows: ReadonlyMap<string, readonly Row[]> },
): readonly Event[] {
  const lookedUp = decider.lookups(command, state);
  const world: World = {
    rows: <R>(name: string, column: string, value: string) => {
      const asked = lookedUp.some(
        (lookup) => lookup.resource === name && lookup.column === column && lookup.values.includes(value),
      );
      if (!asked) throw new Error(`${name}.${column} = ${value} was not looked up`);
      return (rows.get(name) ?? []).filter((row) => row[column] === value) as R[];
    },
  };
  const events = decider.decide(command, state, { now: NOW, world });
  for (const event of events) checkShape(resource, event);
  events.reduce<Row | null>((row, event) => evolve(resource, row, { ...event, recordedAt: NOW }), state);
  return events;
}

/** An event's data are the columns that its definition lists, and no others. */
function checkShape({ events, columns }: Resource, { type, data }: Event): void {
  const shape = events[type] ?? [];
  const allowed = shape === 'created' ? Object.keys(columns) : shape === 'deleted' ? [] : shape;
  expect({ type, columns: Object.keys(data).filter((column) => !allowed.includes(column)) }).toEqual({
    type,
    columns: [],
  });
}

function outcomeOf(step: () => readonly Event[]): Outcome {
  return {
    then: (...events) => expect(step()).toEqual(events),
    thenNothing: () => expect(step()).toEqual([]),
    thenRejects: (code, details) => {
      const { problem } = refusalOf(step);
      expect(problem.code).toBe(code);
      if (details !== undefined) expect(problem.details).toMatch(details);
    },
  };
}

function refusalOf(step: () => unknown): Rejection {
  try {
    step();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('was not refused');
}
