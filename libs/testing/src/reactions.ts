// Policies as sentences: on a change of another service's record, among these records of our own, expect these commands.

import { expect } from '@jest/globals';
import type { Change, Policy, Reaction } from '@practice/core';

interface Occurrence<Own> {
  /** The own records there are; the policy is shown those that it says the change may concern. */
  among(...records: readonly Own[]): Occurrence<Own>;
  /** Exactly these commands, in this order. */
  expect(...reactions: readonly Reaction<Own>[]): void;
  expectNothing(): void;
}

/** The occurrences that a policy reacts to. */
export function reactionsOf<Theirs, Own>(
  policy: Policy<Theirs, Own>,
): { on(change: Change<Theirs>): Occurrence<Own> } {
  const occurrence = (change: Change<Theirs>, records: readonly Own[]): Occurrence<Own> => ({
    among: (...more) => occurrence(change, [...records, ...more]),
    expect: (...reactions) => expect(reactionsTo(policy, change, records)).toEqual(reactions),
    expectNothing: () => expect(reactionsTo(policy, change, records)).toEqual([]),
  });
  return { on: (change) => occurrence(change, []) };
}

function reactionsTo<Theirs, Own>(
  policy: Policy<Theirs, Own>,
  change: Change<Theirs>,
  records: readonly Own[],
): readonly Reaction<Own>[] {
  const concerned = policy.concerns(change);
  if (concerned === null) return [];
  const { column, values } = concerned;
  return policy.react(
    change,
    records.filter((record) => values.includes(String(record[column]))),
  );
}
