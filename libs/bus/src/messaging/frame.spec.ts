import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeFrame,
  encodeFrame,
  entrySize,
  FRAME_VERSION,
  FrameError,
  FrameVersionError,
  KIND,
  wholeEntry,
} from './frame.js';
import type { Entry, Kind, Outgoing } from './frame.js';

const kinds = fc.constantFrom<Kind>(KIND.whole, KIND.more, KIND.last);
const bodies = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 300 }));
const outgoing = fc
  .tuple(fc.integer({ min: 0, max: 0xffff_ffff }), kinds, fc.string({ unit: 'grapheme' }), bodies)
  .map(([id, kind, envelope, body]): Outgoing => ({ ...wholeEntry(id, envelope, body), kind }));

function encode(entries: readonly Outgoing[]): Buffer {
  return encodeFrame(
    entries,
    entries.reduce((size, entry) => size + entrySize(entry), 0),
  );
}

function received({ id, kind, envelope, body }: Outgoing): Entry {
  return { id, kind, envelope, body: Buffer.from(body as Uint8Array) };
}

describe('a frame', () => {
  it('returns its entries in order and with their exact bytes', () => {
    fc.assert(
      fc.property(fc.array(outgoing, { maxLength: 20 }), (entries) => {
        expect(decodeFrame(encode(entries))).toEqual(entries.map(received));
      }),
    );
  });

  it('can be a view of a larger buffer', () => {
    const frame = encode([wholeEntry(7, '{"op":"query"}', 'é')]);
    const around = new Uint8Array(frame.length + 10);
    around.set(frame, 5);
    const [entry] = decodeFrame(around.subarray(5, 5 + frame.length));
    expect(entry?.body.toString()).toBe('é');
  });

  it('is rejected as a whole if it is truncated within an entry', () => {
    fc.assert(
      fc.property(fc.array(outgoing, { minLength: 1, maxLength: 5 }), fc.nat(), (entries, at) => {
        const frame = encode(entries);
        const cut = frame.subarray(0, 1 + (at % (frame.length - 1)));
        const ends = entries.map((_, index) => encode(entries.slice(0, index)).length);
        if (!ends.includes(cut.length)) expect(() => decodeFrame(cut)).toThrow(FrameError);
      }),
    );
  });

  it('fails only with a FrameError, for any bytes', () => {
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

  it('rejects lengths beyond its end and unknown kinds', () => {
    const frame = encode([wholeEntry(1, '{}', 'body')]);
    const tooLong = Buffer.from(frame);
    tooLong.writeUInt32LE(0xffff_ffff, 10);
    expect(() => decodeFrame(tooLong)).toThrow(FrameError);
    const unknown = Buffer.from(frame);
    unknown[5] = 9;
    expect(() => decodeFrame(unknown)).toThrow(FrameError);
  });

  it('is rejected with an error that names both versions if it has another version', () => {
    const frame = encode([wholeEntry(1, '{}', 'body')]);
    frame[0] = FRAME_VERSION + 1;
    expect(() => decodeFrame(frame)).toThrow(FrameVersionError);
    expect(() => decodeFrame(frame)).toThrow(
      `the frame has version ${FRAME_VERSION + 1}; this process understands version ${FRAME_VERSION}`,
    );
  });
});
