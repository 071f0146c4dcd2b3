// The text that a signature covers.

import { canonicalJson, sha256 } from '@practice/core';
import type { Row } from '@practice/resource';

/** The columns that the signature of a note covers. */
export const signedColumns = [
  ...['id', 'client_id', 'appointment_id', 'author_id', 'created_at', 'format', 'template_id', 'sections'],
  ...['subjective', 'objective', 'assessment', 'plan'],
];

/** The columns that the signature of an addendum covers. */
export const addendumColumns = [
  ...['id', 'session_id', 'client_id', 'author_id', 'text', 'signed_at', 'signed_by_name'],
];

/** The hash of columns of a record as canonical JSON, in hexadecimal digits. */
export const textHash = (record: Row, columns: readonly string[]): string =>
  sha256(canonicalJson(Object.fromEntries(columns.map((name) => [name, record[name] ?? null]))));

/** The hash of the sealed values of a record's events: one line for each, in the order of the log. */
export const sealedHash = (sealed: readonly (string | null)[]): string =>
  sha256(sealed.map((one) => `${one ?? ''}\n`).join(''));
