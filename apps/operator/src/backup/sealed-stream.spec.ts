import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { open, seal } from './sealed-stream.js';

const key = randomBytes(32);
const HEAD = 48;
const SEALED_CHUNK = 64 * 1024 + 16;

async function* of(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

async function all(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read);
}

const sealed = (content: Buffer, name = 'wal/1'): Promise<Buffer> => all(seal(key, name)(of(content)));
const opened = (bytes: Buffer, name = 'wal/1'): Promise<Buffer> => all(open(key, name)(of(bytes)));
const damaged = 'damaged, or BACKUP_KEY is another key';

describe('a sealed file', () => {
  it('opens to the same content, regardless of how its bytes are split into parts', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 1000, 65_535, 65_536, 65_537, 131_072, 200_000),
        fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 5 }),
        async (size, cuts) => {
          const content = createHash('shake256', { outputLength: size }).update('x').digest();
          const bytes = await sealed(content);
          let at = 0;
          const parts = cuts.map((cut) => bytes.subarray(at, (at += cut)));
          const read = await all(open(key, 'wal/1')(of(...parts, bytes.subarray(at))));
          expect(read.equals(content)).toBe(true);
        },
      ),
      { numRuns: 40 },
    ));

  it('shows none of its content, and has different bytes each time', async () => {
    const content = Buffer.from('a note about a client'.repeat(10));
    const [one, other] = [await sealed(content), await sealed(content)];
    expect(one.includes('client')).toBe(false);
    expect(one.subarray(HEAD).equals(other.subarray(HEAD))).toBe(false);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['is cut off at the end', (bytes) => bytes.subarray(0, -1)],
    ['is cut off between two chunks', (bytes) => bytes.subarray(0, HEAD + SEALED_CHUNK)],
    ['is cut off in its head', (bytes) => bytes.subarray(0, 20)],
    ['is empty', () => Buffer.alloc(0)],
    ['is longer', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    [
      'has two chunks exchanged',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, HEAD),
          bytes.subarray(HEAD + SEALED_CHUNK, HEAD + 2 * SEALED_CHUNK),
          bytes.subarray(HEAD, HEAD + SEALED_CHUNK),
          bytes.subarray(HEAD + 2 * SEALED_CHUNK),
        ]),
    ],
    [
      'has a changed byte',
      (bytes) => Buffer.from(bytes.map((byte, index) => (index === 99 ? byte ^ 1 : byte))),
    ],
  ])('does not open when it %s', async (_, damage) => {
    const bytes = damage(await sealed(randomBytes(150_000)));
    await expect(opened(bytes)).rejects.toThrow(damaged);
  });

  it('does not open under another name or with another key', async () => {
    const bytes = await sealed(Buffer.from('content'));
    await expect(opened(bytes, 'wal/2')).rejects.toThrow(damaged);
    await expect(all(open(randomBytes(32), 'wal/1')(of(bytes)))).rejects.toThrow(damaged);
  });
});
