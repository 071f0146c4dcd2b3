import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeFrame, encodeFrame, entrySize, FrameError, KIND, wholeEntry } from './frame.js';
import type { Entry, Kind, Outgoing } from './frame.js';

const kinds = fc.constantFrom<Kind>(KIND.whole, KIND.more, KIND.last);
const bodies = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 300 }));
const outgoing = fc
  .tuple(fc.integer({ min: 0, max: 0xffff_ffff }), kinds, fc.string({ unit: 'grapheme' }), bodies)
  .map(([id, kind, head, body]): Outgoing => ({ ...wholeEntry(id, head, body), kind }));

function encode(entries: readonly Outgoing[]): Buffer {
  return encodeFrame(
    entries,
    entries.reduce((size, entry) => size + entrySize(entry), 0),
  );
}

function received({ id, kind, head, body }: Outgoing): Entry {
  return { id, kind, head, body: Buffer.from(body as Uint8Array) };
}

describe('a frame', () => {
  it('gives back any entries, in order, with their exact bytes', () => {
    fc.assert(
      fc.property(fc.array(outgoing, { maxLength: 20 }), (entries) => {
        expect(decodeFrame(encode(entries))).toEqual(entries.map(received));
      }),
    );
  });

  it('is read as well when it lies within a bigger buffer', () => {
    const frame = encode([wholeEntry(7, '{"op":"rest"}', 'é')]);
    const around = new Uint8Array(frame.length + 10);
    around.set(frame, 5);
    const [entry] = decodeFrame(around.subarray(5, 5 + frame.length));
    expect(entry?.body.toString()).toBe('é');
  });

  it('is refused as a whole when it was cut anywhere but between entries', () => {
    fc.assert(
      fc.property(fc.array(outgoing, { minLength: 1, maxLength: 5 }), fc.nat(), (entries, at) => {
        const frame = encode(entries);
        const cut = frame.subarray(0, at % frame.length);
        const ends = entries.map((_, index) => encode(entries.slice(0, index)).length);
        if (!ends.includes(cut.length)) expect(() => decodeFrame(cut)).toThrow(FrameError);
      }),
    );
  });

  it('never fails but with a FrameError, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeFrame(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses lengths that point beyond it, and unknown kinds', () => {
    const frame = encode([wholeEntry(1, '{}', 'body')]);
    const tooLong = Buffer.from(frame);
    tooLong.writeUInt32LE(0xffff_ffff, 9);
    expect(() => decodeFrame(tooLong)).toThrow(FrameError);
    const unknown = Buffer.from(frame);
    unknown[4] = 9;
    expect(() => decodeFrame(unknown)).toThrow(FrameError);
  });
});
