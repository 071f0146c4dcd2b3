// The operations of `rpc/batch`: writes of resources that are executed together.

import { detailsOfPlace, problemFor, reject, Rejection, type Problem } from '@practice/core';
import { limits } from '../limits.js';
import { isRow } from '../parse/body.js';
import { parametersOf } from '../parse/query-string.js';
import { parseRequest, type Method, type ParsedRequest } from '../parse/request.js';

/** A write as a batch names it. */
export interface BatchOperation {
  /** The name by which later operations refer to its record. */
  readonly as: string | null;
  readonly method: Method;
  readonly resource: string;
  /** Raw, without the `?`. */
  readonly query: string;
  /** A row or rows as JSON; absent for a method without a body. */
  readonly body?: unknown;
  readonly prefer: string;
  /** Its position in the batch of the caller, from 1. */
  readonly number: number;
}

const METHODS: readonly string[] = ['POST', 'PATCH', 'PUT', 'DELETE'] satisfies Method[];
const MEMBERS: readonly string[] = ['as', 'method', 'path', 'body', 'prefer'];
const NAME = /^[a-z_]\w{0,62}$/i;
const PATH = /^\/?(?<resource>[a-z_]\w*)(?:\?(?<query>.*))?$/is;

/** Parameters that say which columns and relations a request is about. */
const LITERAL: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict', 'order']);

/**
 * The operations of a call. Only their form is checked.
 * @param given the argument `operations`
 * @throws {Rejection} PM400 for another form; PM413 for too many
 */
export function operationsOf(given: unknown): BatchOperation[] {
  if (!Array.isArray(given) || given.length === 0) return reject(notOperations);
  if (given.length > limits.batchOperations) reject(tooManyOperations);
  const names = new Set<string>();
  return given.map((one: unknown, index) => {
    const operation = operationOf(one, index + 1);
    const { as } = operation;
    if (as !== null && names.has(as)) reject(malformed(index + 1, `the name "${as}" is used twice`));
    if (as !== null) names.add(as);
    return operation;
  });
}

/** The check of each member of an operation, with the message for a member that fails it. */
const FORMS: readonly (readonly [(members: Readonly<Record<string, unknown>>) => boolean, string])[] = [
  [
    ({ as = null }) => as === null || (typeof as === 'string' && NAME.test(as)),
    'as must be a name of letters, digits and _',
  ],
  [({ method = 'POST' }) => METHODS.includes(String(method)), `method must be one of ${METHODS.join(', ')}`],
  [({ prefer = '' }) => typeof prefer === 'string', 'prefer must be a text'],
  [
    ({ prefer = '' }) => !/(?:^|,)\s*(?:tx|change-id)=/.test(String(prefer)),
    'Prefer: tx= and change-id= are for the whole batch',
  ],
  [({ path }) => typeof path === 'string' && PATH.test(path), 'path must be <resource>?<query>'],
];

function operationOf(given: unknown, number: number): BatchOperation {
  if (!isRow(given)) return reject(malformed(number, 'it must be an object'));
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) reject(malformed(number, `it has no member "${unknown.slice(0, 63)}"`));
  const odd = FORMS.find(([fits]) => !fits(given));
  if (odd !== undefined) reject(malformed(number, odd[1]));
  const { path, ...members } = { as: null, method: 'POST', prefer: '', ...given } as Sent & { path: string };
  return { ...members, ...placeOf(path), number };
}

type Sent = Pick<BatchOperation, 'as' | 'method' | 'prefer' | 'body'>;

function placeOf(path: string): Pick<BatchOperation, 'resource' | 'query'> {
  const { resource = '', query = '' } = PATH.exec(path)?.groups ?? {};
  return { resource, query };
}

/** Whether the value of a parameter may refer to earlier operations. */
export const takesReferences = (key: string): boolean => !LITERAL.has(key.split('.').at(-1) ?? '');

const NO_BYTES = new Uint8Array();

/**
 * An operation as the request that it is.
 * @throws {Rejection} as `parseRequest`; PM400 for parameters of reads
 */
export function requestOfOperation({ method, resource, query, body, prefer }: BatchOperation): ParsedRequest {
  parametersOf(query);
  return parseRequest({
    ...{ method, resource, query },
    headers: { 'content-type': 'application/json', prefer },
    ...{ body: NO_BYTES, json: body },
  });
}

/** The problem of an operation, with the operation named in its details. */
export function ofOperation(problem: Problem, { as, number, method, resource }: BatchOperation): Problem {
  const name = as === null ? '' : ` (${as})`;
  const place = `Operation ${number}${name}, ${method} ${resource}`;
  return { ...problem, details: detailsOfPlace(place, problem.details) };
}

/** Runs the part of a batch that is about one operation, and names the operation in a rejection. */
export function inOperation<T>(operation: BatchOperation, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw new Rejection(ofOperation(error.problem, operation));
  }
}

const notOperations = problemFor('PM400', {
  message: 'operations must be an array of 1 to 100 objects',
  hint: 'Each has method, path and, where the method takes one, body: {"method":"POST","path":"clients","body":{"name":"Ada"}}',
});

const tooManyOperations = problemFor('PM413', {
  message: `a batch has at most ${limits.batchOperations} operations`,
  hint: 'One operation may write many rows: give it an array as its body.',
});

const malformed = (number: number, why: string): Problem =>
  problemFor('PM400', {
    message: 'an operation of the batch is malformed',
    details: `Operation ${number}: ${why}.`,
  });
