// Tests of policies as sentences: on a change of another service's record, among these own records, expect these commands.

import { expect } from '@jest/globals';
import type {
  Change,
  DependentCommand,
  Named,
  PolicyChange,
  PolicyOf,
  RowOf,
  Sent,
} from '@practice/resource';
import { NOW } from './given.js';
import { lookedUp, withMore, type Rows } from './lookups.js';

interface Occurrence<Own, Asked> {
  /** Adds own records that exist. The policy sees only the records that match its `concerns`. */
  among(...records: readonly Partial<Own>[]): Occurrence<Own, Asked>;
  /** Adds other records that the policy looks up. */
  reading<D extends Named>(definition: D, ...rows: readonly Partial<RowOf<D>>[]): Occurrence<Own, Asked>;
  /** Expects exactly these commands, in this order. */
  expect(...reactions: readonly (Sent<Asked> | DependentCommand)[]): void;
  expectNothing(): void;
}

interface Setting<Own> {
  readonly records: readonly Own[];
  readonly rows: Rows;
}

const THERAPIST = '018f0000-0000-7000-8000-000000000001';

/** Starts a sentence about a policy: `on(change).among(records).expect(reactions)`. */
export function reactionsOf<Theirs, Own, Asked>(
  policy: PolicyOf<Theirs, Own, Asked>,
): { on(change: Change<Theirs> & { readonly at?: string }): Occurrence<Own, Asked> } {
  const occurrence = (change: PolicyChange<Theirs>, setting: Setting<Own>): Occurrence<Own, Asked> => ({
    // A policy reads few columns, so a test names only those.
    among: (...more) => occurrence(change, { ...setting, records: [...setting.records, ...(more as Own[])] }),
    reading: (definition, ...more) =>
      occurrence(change, { ...setting, rows: withMore(setting.rows, definition, more) }),
    expect: (...reactions) => expect(reactionsTo(policy, change, setting)).toEqual(reactions),
    expectNothing: () => expect(reactionsTo(policy, change, setting)).toEqual([]),
  });
  return {
    on: (change) =>
      occurrence({ at: NOW, therapistId: THERAPIST, ...change }, { records: [], rows: new Map() }),
  };
}

function reactionsTo<Theirs, Own, Asked>(
  policy: PolicyOf<Theirs, Own, Asked>,
  change: PolicyChange<Theirs>,
  { records, rows }: Setting<Own>,
): readonly (Sent<Asked> | DependentCommand)[] {
  const concerned = policy.concerns(change);
  if (concerned === null) return [];
  const { column, values } = concerned;
  const context = { now: NOW, rows: lookedUp(rows, policy.lookups?.(change) ?? []) };
  return policy.react(
    change,
    records.filter((record) => values.includes(String((record as Record<string, unknown>)[column]))),
    context,
  );
}
