// Policies as sentences: on a change of another service's record, among these own records, expect these commands.

import { expect } from '@jest/globals';
import type { Change, PolicyOf, Sent } from '@practice/resource';

interface Occurrence<Own, Asked> {
  /** The own records that exist; the policy sees the records that match its `concerns`. */
  among(...records: readonly Partial<Own>[]): Occurrence<Own, Asked>;
  /** Exactly these commands, in this order. */
  expect(...reactions: readonly Sent<Asked>[]): void;
  expectNothing(): void;
}

/** Starts a sentence about a policy: `on(change).among(records).expect(reactions)`. */
export function reactionsOf<Theirs, Own, Asked>(
  policy: PolicyOf<Theirs, Own, Asked>,
): { on(change: Change<Theirs>): Occurrence<Own, Asked> } {
  const occurrence = (change: Change<Theirs>, records: readonly Own[]): Occurrence<Own, Asked> => ({
    // A policy reads few columns, so a test names only these.
    among: (...more) => occurrence(change, [...records, ...(more as Own[])]),
    expect: (...reactions) => expect(reactionsTo(policy, change, records)).toEqual(reactions),
    expectNothing: () => expect(reactionsTo(policy, change, records)).toEqual([]),
  });
  return { on: (change) => occurrence(change, []) };
}

function reactionsTo<Theirs, Own, Asked>(
  policy: PolicyOf<Theirs, Own, Asked>,
  change: Change<Theirs>,
  records: readonly Own[],
): readonly Sent<Asked>[] {
  const concerned = policy.concerns(change);
  if (concerned === null) return [];
  const { column, values } = concerned;
  return policy.react(
    change,
    records.filter((record) => values.includes(String((record as Record<string, unknown>)[column]))),
  );
}
