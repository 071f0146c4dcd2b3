// Errors of Postgres quote the value that they are about. A cast reads values of rows, so the value may be a note. The value is
// removed from such an error here, before anything can show or log it.

import type { Statement } from './statement.js';

/** The parts of Postgres' error that may quote a value. */
interface Quoting {
  readonly code?: string;
  message: string;
  detail?: string | undefined;
  where?: string | undefined;
}

/** Class 22 is about values (data exceptions); 42601 too, for the syntax of a text-search query or of a JSON path. */
const ABOUT_VALUES = /^(?:22|42601)/;

/** The detail of an XML error (2200…) has the value without quotes. */
const UNQUOTED_DETAIL = /^2200/;

/**
 * Removes from an error every value that the caller did not send with the statement.
 * @returns the same error
 */
export function withoutStoredValues<T extends Error>(error: T, statement: Statement): T {
  const { code = '' } = error as Quoting;
  if (!ABOUT_VALUES.test(code)) return error;
  const quoting: Quoting = error;
  const sent = sentWith(statement);
  const isSent = (text: string): boolean => {
    const quoted = /"([\s\S]*)"/.exec(text)?.[1];
    return quoted === undefined || sent.some((value) => value.includes(quoted));
  };
  if (!isSent(quoting.message)) quoting.message = withoutQuoted(quoting.message);
  const { detail = '' } = quoting;
  if (UNQUOTED_DETAIL.test(code) || !isSent(detail)) quoting.detail = undefined;
  // It quotes the line of the value that has the error.
  quoting.where = undefined;
  return error;
}

/** The values of a request. The first one is the practice, or the rows that a function returned. */
const sentWith = ({ isShaped, values }: Statement): string[] =>
  isShaped === true ? values.slice(1).map(String) : [];

/** `invalid input syntax for type date: "…"` ends before the colon; `"…" is out of range` begins with `value`. */
const withoutQuoted = (message: string): string =>
  message.replace(/^"[\s\S]*"/, 'value').replace(/:? *"[\s\S]*"/, '');
