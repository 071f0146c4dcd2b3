// The text that a signature covers.

import { createHash } from 'node:crypto';
import type { Row } from '@practice/resource';

/** The columns that the signature of a note covers. */
export const signedColumns = [
  'id',
  'client_id',
  'appointment_id',
  'author_id',
  'created_at',
  'format',
  'template_id',
  'sections',
  'subjective',
  'objective',
  'assessment',
  'plan',
] as const;

/** The columns that the signature of an addendum covers. */
export const addendumColumns = [
  'id',
  'session_id',
  'client_id',
  'author_id',
  'text',
  'signed_at',
  'signed_by_name',
] as const;

/** The hash of columns of a record as canonical JSON, in hexadecimal digits. */
export const textHash = (record: Row, columns: readonly string[]): string =>
  sha256(canonicalJson(Object.fromEntries(columns.map((name) => [name, record[name] ?? null]))));

/** The hash of the sealed values of a record's events, in the order of the log: one a line. */
export const sealedHash = (sealed: readonly (string | null)[]): string =>
  sha256(sealed.map((one) => `${one ?? ''}\n`).join(''));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 8785 (JCS): members in the order of the UTF-16 units of their names; ECMAScript writes texts and numbers as it asks. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
