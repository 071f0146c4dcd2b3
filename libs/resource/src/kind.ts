import type { Problem } from '@practice/core';

/** A checked value of a column in JavaScript. Each kind has one canonical form. */
export type Scalar = string | number | boolean;
export type Value = Scalar | { readonly [key: string]: unknown } | null;

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
 * Everything there is to know about a kind of column, in one place: how it is stored, checked, written as JSON,
 * shown in OpenAPI and which operators it has.
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
  /** A body's JSON value as the canonical value, or the problem with it. */
  readonly parse: (input: unknown) => Parsed<T>;
  /** A body's value as a local time of a time zone, if it names no offset. Other values stay as they are. */
  readonly inZone?: (input: unknown, timezone: string) => unknown;
  /** Postgres' text output as the canonical value. */
  readonly fromText: (text: string) => T;
  /** The canonical value as JSON text, byte for byte as in reads. */
  toJson(this: void, value: T): string;
  /** SQL for the value in JSON and CSV, if the plain column does not give it. */
  readonly shown?: (column: string) => string;
  /** SQL for the JSON value in reads of an event's JSON text, if the two differ. */
  readonly shownOfText?: (text: string) => string;
  /** SQL text of the value that is immutable, for use in an index. */
  readonly immutableText: (column: string) => string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The schema of the canonical value, as events hold it, where it is not the one above. */
  readonly recorded?: Readonly<Record<string, unknown>>;
  readonly typescript: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export type Malformed = Extract<Parsed<never>, { readonly ok: false }>;

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value });

/** A malformed value, worded as Postgres words it for the type. */
export const malformed = (code: string, message: string): Malformed => ({
  ok: false,
  problem: { status: 400, code, message },
});

/** 22P02: `invalid input syntax for type integer: "abc"`. */
export const invalidSyntax = (pgName: string, input: unknown, code = '22P02'): Malformed =>
  malformed(code, `invalid input syntax for type ${pgName}: "${shownInput(input)}"`);

/** The offending input as an error may repeat it: short, and never a whole document. */
export function shownInput(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? String(input));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
