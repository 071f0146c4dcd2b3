import { createHash } from 'node:crypto';

/** The id of a record of the demo practice: the same words give the same uuid (version 8, RFC 9562). */
export function idOf(...words: readonly string[]): string {
  const hex = createHash('sha256').update(words.join('\0')).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
