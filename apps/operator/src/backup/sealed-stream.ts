// Encryption of a file in chunks (the STREAM construction, as in age): each chunk is authenticated with its place in the file, so a
// file of any size needs little memory, and a chunk that is changed, moved or cut off is found.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Failure } from '../common/failure.js';

const MAGIC = Buffer.from('PRACTICE-BACKUP1');
const SALT = 32;
const HEAD = MAGIC.length + SALT;
const TAG = 16;
const CHUNK = 64 * 1024;
const CIPHER = 'aes-256-gcm';

type Bytes = AsyncIterable<Buffer>;

/**
 * Encrypts with AES-256-GCM, as a step of a pipeline.
 * @param key 32 bytes
 * @param name of the file: only under this name it can be opened again
 */
export const seal = (key: Buffer, name: string) =>
  async function* (content: Bytes): AsyncGenerator<Buffer> {
    const salt = randomBytes(SALT);
    const own = fileKey(key, salt, name);
    yield Buffer.concat([MAGIC, salt]);
    for await (const { bytes, index, isLast } of inChunks(content, CHUNK)) {
      const cipher = createCipheriv(CIPHER, own, nonceOf(index, isLast));
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  };

/**
 * Decrypts what `seal` encrypted, as a step of a pipeline. Nothing of a damaged chunk passes.
 * @throws {Failure} for another key, another name, or a damaged file
 */
export const open = (key: Buffer, name: string) =>
  async function* (sealed: Bytes): AsyncGenerator<Buffer> {
    const unreadable = (): Failure =>
      new Failure(`The file ${name} of the backup is damaged, or BACKUP_KEY is another key.`);
    const { head, rest } = await split(sealed, HEAD);
    if (head.length < HEAD || !head.subarray(0, MAGIC.length).equals(MAGIC)) throw unreadable();
    const own = fileKey(key, head.subarray(MAGIC.length), name);
    for await (const { bytes, index, isLast } of inChunks(rest, CHUNK + TAG)) {
      if (bytes.length < TAG) throw unreadable();
      const decipher = createDecipheriv(CIPHER, own, nonceOf(index, isLast));
      decipher.setAuthTag(bytes.subarray(-TAG));
      const parts = [decipher.update(bytes.subarray(0, -TAG))];
      try {
        parts.push(decipher.final());
      } catch {
        throw unreadable();
      }
      yield Buffer.concat(parts);
    }
  };

/** A key for each file: from the key of the backups, random bytes, and the name, so that files cannot be exchanged. */
const fileKey = (key: Buffer, salt: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, name, 32));

/** The number of the chunk, and whether it is the last one. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly index: number;
  readonly isLast: boolean;
}

/** Chunks of one size, and a last one of this size or less. */
async function* inChunks(content: Bytes, size: number): AsyncGenerator<Chunk> {
  let kept = Buffer.alloc(0);
  let index = 0;
  for await (const part of content) {
    kept = Buffer.concat([kept, part]);
    for (; kept.length > size; kept = kept.subarray(size))
      yield { bytes: kept.subarray(0, size), index: index++, isLast: false };
  }
  yield { bytes: kept, index, isLast: true };
}

/** The first bytes, and the others as they come. */
async function split(content: Bytes, length: number): Promise<{ head: Buffer; rest: Bytes }> {
  const parts = content[Symbol.asyncIterator]();
  let begun = Buffer.alloc(0);
  while (begun.length < length) {
    const { value, done } = await parts.next();
    if (done === true) break;
    begun = Buffer.concat([begun, value]);
  }
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield begun.subarray(length);
    yield* { [Symbol.asyncIterator]: () => parts };
  };
  return { head: begun.subarray(0, length), rest: rest() };
}
