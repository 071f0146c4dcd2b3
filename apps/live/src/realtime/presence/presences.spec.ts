import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diffMessage, isEmpty, PresenceSet, type PresenceDiff } from './presences.js';

const ada = { key: 'ada', payload: { at: 1 } };
const bob = { key: 'bob', payload: { at: 2 } };
const nothing: PresenceDiff = { joins: {}, leaves: {} };

/** Sends a change to another process, and the whole state if the other process has missed a change. */
function told(from: PresenceSet, diff: PresenceDiff, to: PresenceSet): void {
  const heard = to.hear('other', from.sequence, diff);
  if (heard === undefined) to.replace('other', from.sequence, from.local);
}

describe('the presences of a topic', () => {
  it('come from clients of this process and of other processes', () => {
    const set = new PresenceSet(0);
    set.track('1', ada);
    set.replace('other', 7, { '2': bob, '3': { ...ada, payload: {} } });
    expect(set.state()).toEqual({
      ada: { metas: [{ at: 1, phx_ref: '1' }, { phx_ref: '3' }] },
      bob: { metas: [{ at: 2, phx_ref: '2' }] },
    });
    expect(diffMessage(set.forget('other'))).toMatchObject({ joins: {}, leaves: { bob: {}, ada: {} } });
    expect(set.state()).toEqual({ ada: { metas: [{ at: 1, phx_ref: '1' }] } });
  });

  it('replace the presence that the client tracked before', () => {
    const set = new PresenceSet(0);
    set.track('1', ada);
    const diff = set.track('2', { key: 'ada', payload: { at: 9 }, previous: '1' });
    expect(diffMessage(diff)).toEqual({
      joins: { ada: { metas: [{ at: 9, phx_ref: '2', phx_ref_prev: '1' }] } },
      leaves: { ada: { metas: [{ at: 1, phx_ref: '1' }] } },
    });
  });

  it('need the state of a process after a missed change, and apply no change twice', () => {
    const set = new PresenceSet(0);
    set.replace('other', 7, {});
    const diff = { joins: { '1': ada }, leaves: {} };
    expect(set.hear('other', 9, diff)).toBeUndefined();
    expect(set.hear('other', 8, diff)).toEqual(diff);
    expect(isEmpty(set.hear('other', 8, diff) ?? nothing)).toBe(true);
    expect(set.hear('unknown', 5, diff)).toBeUndefined();
  });

  it('are the same at two processes after any changes, even if some changes were lost', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      leaves: fc.boolean(),
      isLost: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const [here, there] = [new PresenceSet(1_000), new PresenceSet(0)];
        const references: string[] = [];
        steps.forEach(({ key, leaves, isLost }, index) => {
          const gone = leaves ? references.pop() : undefined;
          const diff =
            gone === undefined ? here.track(String(index), { key, payload: {} }) : here.untrack(gone);
          if (gone === undefined) references.push(String(index));
          if (!isLost) told(here, diff, there);
        });
        // The next change or an exchange of states repairs the loss.
        told(here, here.track('last', ada), there);
        const last = there.state();
        expect(last).toEqual(here.state());
      }),
    );
  });
});
