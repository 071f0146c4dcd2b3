import { problemFor, reject } from '@practice/core';

const MAX_LENGTH = 500;

/** Header values that are ASCII; everything else comes percent-encoded. */
const ASCII = /^[\x20-\x7e]+$/;

/** Neither NUL, which Postgres cannot store, nor another control character except tab and line breaks. */
const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f]/;

/**
 * The reason that a caller gives for a write: the `Change-Reason` header, decoded.
 * @throws {Rejection} PM400 for a header that is not percent-encoded UTF-8, or too long
 */
export function reasonOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const reason = decoded(String(header))?.normalize('NFC').trim();
  if (!reason || CONTROL.test(reason) || [...reason].length > MAX_LENGTH) return reject(invalidReason);
  return reason;
}

function decoded(header: string): string | undefined {
  if (!ASCII.test(header)) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}

const invalidReason = problemFor('PM400', {
  message: `Change-Reason must be 1 to ${MAX_LENGTH} characters of percent-encoded UTF-8`,
  hint: "Encode it: encodeURIComponent('moved at the client’s request').",
});
