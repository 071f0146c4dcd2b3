// `$as.column`: a value of the record that an earlier operation of a batch has written.

import { problemFor, reject, type Problem } from '@practice/core';
import { canonicalQueryOf, parametersOf } from '../parse/query-string.js';
import { takesReferences, type BatchOperation } from './operations.js';

/** The result of an operation, as later ones may refer to it: its one record, or how many there are. */
export type BatchResult =
  | { readonly kind: 'record'; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: 'records'; readonly count: number };

/** By the names of the operations. */
type BatchResults = ReadonlyMap<string, BatchResult>;

type Value = (name: string, column: string) => unknown;

const REFERENCE = /\$([a-z_]\w*)\.([a-z_]\w*)/gi;
const WHOLE = /^\$([a-z_]\w*)\.([a-z_]\w*)$/i;

/** The names of operations that an operation refers to. @param names the names of all operations of the batch */
export function referredIn(operation: BatchOperation, names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  replaced(operation, names, (name) => {
    found.add(name);
    return '';
  });
  return found;
}

/**
 * The operation, with its references replaced by values.
 * @param names the names of all operations of the batch; any other text with a dollar sign stays as it is
 * @throws {Rejection} PM400 for an operation that has not written one record, or a column that the record does not have
 */
export const withReferences = (
  operation: BatchOperation,
  names: ReadonlySet<string>,
  results: BatchResults,
): BatchOperation => replaced(operation, names, (name, column) => valueOf(results, name, column));

function replaced(operation: BatchOperation, names: ReadonlySet<string>, value: Value): BatchOperation {
  if (names.size === 0) return operation;
  const { query, body } = operation;
  return {
    ...operation,
    query: query
      .split('&')
      .map((part) => parameter(part, names, value))
      .join('&'),
    ...(body !== undefined && { body: inBody(body, names, value) }),
  };
}

/** References are not replaced in names of columns and relations, since a value could name a column that the caller's token may not see. */
function parameter(part: string, names: ReadonlySet<string>, value: Value): string {
  const [given] = parametersOf(part);
  if (given?.value.includes('$') !== true || !takesReferences(given.key)) return part;
  const isList = given.value.includes('(');
  const filled = given.value.replace(REFERENCE, (whole, name: string, column: string) =>
    names.has(name) ? inQuery(value(name, column), isList) : whole,
  );
  return canonicalQueryOf([{ key: given.key, value: filled }]);
}

/** Within parentheses a value is quoted, so that it stays one value. */
function inQuery(value: unknown, isList: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isList && !/^[\w-]*$/.test(text) ? `"${text.replace(/["\\]/g, String.raw`\$&`)}"` : text;
}

function inBody(body: unknown, names: ReadonlySet<string>, value: Value): unknown {
  if (Array.isArray(body)) return body.map((item: unknown) => inBody(item, names, value));
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, item]) => [key, inBody(item, names, value)]));
  if (typeof body !== 'string') return body;
  const [, name = '', column = ''] = WHOLE.exec(body) ?? [];
  return names.has(name) ? value(name, column) : body;
}

function valueOf(results: BatchResults, name: string, column: string): unknown {
  const result = results.get(name);
  if (result === undefined) return reject(comesLater(name, column));
  if (result.kind === 'records') return reject(notOne(name, column, result.count));
  if (!Object.hasOwn(result.record, column)) return reject(noColumn(name, column));
  return result.record[column];
}

/** The refusal of an operation; of a value such as `$x.id`, with the reason that no operation has the name. */
export function aboutReference(problem: Problem, names: ReadonlySet<string>): Problem {
  const [, name, column = ''] = REFERRING.exec(problem.message) ?? [];
  if (name === undefined || names.has(name)) return problem;
  return invalid(name, column, `No earlier operation has the name ${name}.`);
}

const REFERRING = new RegExp(REFERENCE.source, 'i');

const invalid = (name: string, column: string, details: string): Problem =>
  problemFor('PM400', { message: `$${name}.${column} is not a value of an earlier operation`, details });

const comesLater = (name: string, column: string): Problem =>
  invalid(name, column, `The operation ${name} comes later.`);

const notOne = (name: string, column: string, count: number): Problem =>
  invalid(name, column, `The operation ${name} is about ${count} records.`);

const noColumn = (name: string, column: string): Problem =>
  invalid(name, column, `The record of ${name} has no column ${column}.`);
