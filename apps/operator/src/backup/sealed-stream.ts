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
 * @param name of the file. Only this name opens it again.
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
 * Decrypts a file that `seal` encrypted, as a step of a pipeline. No byte of a damaged chunk is passed on.
 * @throws {Failure} for another key, another name, or a damaged file
 */
export const open = (key: Buffer, name: string) =>
  async function* (sealed: Bytes): AsyncGenerator<Buffer> {
    const unreadable = (): Failure =>
      new Failure(`The file ${name} of the backup is damaged, or BACKUP_KEY is another key.`);
    const chunks = inChunks(sealed, CHUNK + TAG, HEAD);
    const { value: head } = await chunks.next();
    if (head === undefined || head.isLast || !head.bytes.subarray(0, MAGIC.length).equals(MAGIC))
      throw unreadable();
    const own = fileKey(key, head.bytes.subarray(MAGIC.length), name);
    for await (const { bytes, index, isLast } of chunks) {
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

/** The key of one file. It is derived from the key of the backups, random bytes and the name, so that files cannot be exchanged. */
const fileKey = (key: Buffer, salt: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, name, 32));

/** The number of the chunk, and whether it is the last one. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Splits into chunks of one size; the last chunk may be smaller. A head of another size may come first: its index is -1. */
async function* inChunks(content: Bytes, size: number, head = 0) {
  let kept = Buffer.alloc(0);
  let index = head === 0 ? 0 : -1;
  for await (const part of content) {
    kept = Buffer.concat([kept, part]);
    for (let next = index < 0 ? head : size; kept.length > next; next = size) {
      yield { bytes: kept.subarray(0, next), index: index++, isLast: false };
      kept = kept.subarray(next);
    }
  }
  yield { bytes: kept, index, isLast: true };
}
