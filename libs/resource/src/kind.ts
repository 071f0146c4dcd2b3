import type { Problem } from '@practice/core';

/** A checked value of a column in JavaScript, in the canonical form of its kind. */
export type Scalar = string | number | boolean;
export type Value = Scalar | readonly string[] | { readonly [key: string]: unknown } | null;

/** Groups of the dialect's operators that a kind supports. */
export type OperatorFamily =
  | 'equality'
  | 'order'
  | 'pattern'
  | 'fullText'
  | 'boolean'
  | 'containment'
  | 'array';

/**
 * Everything about a kind of column in one place: how its values are stored, checked, written as JSON and described in
 * OpenAPI, and which operators it has.
 */
export interface Kind<T = unknown> {
  readonly name: string;
  /** The column's type in DDL and in TypeORM. */
  readonly sqlType: string;
  /** The type's name in Postgres' own error messages. */
  readonly pgName: string;
  /** The values of the kind in words, for errors. */
  readonly expects: string;
  readonly families: readonly OperatorFamily[];
  /** Converts a JSON value of a body to the canonical value, or returns the problem with it. */
  readonly parse: (input: unknown) => Parsed<T>;
  /** Reads a value without an offset as a local time of a time zone. Other values do not change. */
  readonly inZone?: (input: unknown, timezone: string) => unknown;
  /** Converts Postgres' text output to the canonical value. */
  readonly fromText: (text: string) => T;
  /** Converts the canonical value to JSON text, byte for byte as in reads. */
  toJson(this: void, value: T): string;
  /** SQL for the value in JSON and CSV, if it differs from the plain column. */
  readonly shown?: (column: string) => string;
  /** SQL for the JSON value in reads of an event's JSON text, if the two differ. */
  readonly shownOfText?: (text: string) => string;
  /** SQL for the text of the value by an immutable expression, for use in an index. */
  readonly immutableText: (column: string) => string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The schema of the canonical value in events, if it differs from `schema`. */
  readonly recorded?: Readonly<Record<string, unknown>>;
  readonly typescript: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export type Malformed = Extract<Parsed<never>, { readonly ok: false }>;

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value });

/** A malformed value, with the message that Postgres has for the type. */
export const malformed = (code: string, message: string): Malformed => ({
  ok: false,
  problem: { status: 400, code, message },
});

/** 22P02: `invalid input syntax for type integer: "abc"`. */
export const invalidSyntax = (pgName: string, input: unknown, code = '22P02'): Malformed =>
  malformed(code, `invalid input syntax for type ${pgName}: "${shownInput(input)}"`);

/** The invalid input in the form in which an error may repeat it: at most 100 characters, so never a whole document. */
export function shownInput(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? String(input));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
