import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createReassembly, cut } from './chunks.js';
import { decodeFrame, encodeFrame, entrySize, wholeEntry, type Entry, type Outgoing } from './frame.js';

const LIMIT = 64;

function arrive(part: Outgoing): Entry {
  return decodeFrame(encodeFrame([part], entrySize(part)))[0] as Entry;
}

/** Merges the lists in the order that `choices` gives. The order within each list is kept. */
function interleave<T>(lists: readonly (readonly T[])[], choices: readonly number[]): T[] {
  const rest = lists.map((list) => [...list]);
  const taken: T[] = [];
  for (let turn = 0; rest.some((list) => list.length > 0); turn++) {
    const open = rest.filter((list) => list.length > 0);
    const list = open[(choices[turn % Math.max(choices.length, 1)] ?? 0) % open.length];
    taken.push(list?.shift() as T);
  }
  return taken;
}

describe('bodies that are cut', () => {
  it('are joined again for any interleaving of the parts of different bodies', () => {
    const body = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.uint8Array({ maxLength: 600 }));
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(5)), (sent, choices) => {
        const parts = sent.map((one, id) => cut(wholeEntry(id, `{"n":${id}}`, one), LIMIT));
        const reassembly = createReassembly();
        const whole = interleave(parts, choices)
          .map((part) => reassembly.accept(arrive(part)))
          .filter((entry) => entry !== undefined);
        expect(
          whole.sort((a, b) => a.id - b.id).map(({ id, envelope, body }) => ({ id, envelope, body })),
        ).toEqual(
          sent.map((one, id) => ({ id, envelope: `{"n":${id}}`, body: Buffer.from(one as Uint8Array) })),
        );
      }),
    );
  });

  it('have no part that is larger than the limit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), (body) => {
        for (const part of cut(wholeEntry(1, '{"status":200}', body), LIMIT)) {
          expect(entrySize(part)).toBeLessThanOrEqual(LIMIT);
        }
      }),
    );
  });

  it('are sent unchanged when they fit', () => {
    const entry = wholeEntry(1, '{}', 'short');
    expect(cut(entry, LIMIT)).toEqual([entry]);
  });

  it('start from the beginning after they were forgotten', () => {
    const [first, ...rest] = cut(wholeEntry(1, '{}', 'x'.repeat(150)), LIMIT).map(arrive);
    const reassembly = createReassembly();
    reassembly.accept(first as Entry);
    reassembly.forget(1);
    const whole = [first as Entry, ...rest].map((part) => reassembly.accept(part)).at(-1);
    expect(whole?.body.toString()).toBe('x'.repeat(150));
  });

  it('cannot be cut when the envelope itself is too long', () => {
    expect(() => cut(wholeEntry(1, 'h'.repeat(LIMIT), 'body'), LIMIT)).toThrow(RangeError);
  });
});
