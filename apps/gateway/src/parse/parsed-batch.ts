// A batch as the gateway reads it: which service carries out which operations. Values of earlier operations are not known yet.

import { catalog, notUndoable } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import {
  embeddedResources,
  inOperation,
  idIn,
  isCrossService,
  limits,
  noColumnToWrite,
  operationsOf,
  referredIn,
  requestOfOperation,
} from '@practice/query';
import type { BatchAnswer, BatchOperation, ParsedRequest } from '@practice/query';
import type { Resource } from '@practice/resource';
import { tableNotFound } from '../http/not-found.js';

/** Operations that follow each other and belong to one service: one transaction. */
export interface BatchPart {
  readonly service: string;
  readonly operations: readonly BatchOperation[];
  /** The number of records that the operations may affect. */
  readonly records: number;
}

/** The resource that an operation writes, and the resources that its response embeds. */
interface Written {
  readonly resource: Resource;
  readonly embedded: readonly string[];
}

export interface ParsedBatch {
  /** Set for a nested insert. It is not a call of the function, so it needs only the rights of its operations. */
  readonly nested?: true;
  /** Fills in values from the answers to earlier parts. */
  readonly filled?: (
    operations: readonly BatchOperation[],
    answers: readonly BatchAnswer[],
  ) => readonly BatchOperation[];
  readonly parts: readonly BatchPart[];
  readonly names: readonly string[];
  readonly isDryRun: boolean;
  readonly written: readonly Written[];
}

/** The fewest records that count for the time of an operation, since it waits for the operations before it. */
const RECORDS_OF_OPERATION = 10;

interface Parsed extends Written {
  readonly operation: BatchOperation;
  readonly rows: number;
  /** The number of records that the operation may affect. */
  readonly records: number;
}

/**
 * @param request the call of the function
 * @throws {Rejection} PM400, PM413, and as the operations would be refused as requests; the details name the operation
 */
export function parsedBatch({ rows: [given = {}], preferences }: ParsedRequest): ParsedBatch {
  const batch = batchOf(operationsOf(given['operations']), preferences.tx === 'rollback');
  const services = new Set(batch.parts.map(({ service }) => service));
  // A dry run keeps nothing of a service's first part, so its second part would not see it.
  if (batch.isDryRun && services.size < batch.parts.length) reject(notGrouped);
  return batch;
}

/** @throws {Rejection} PM413, and as the operations would be refused as requests; the details name the operation */
export function batchOf(operations: readonly BatchOperation[], isDryRun: boolean): ParsedBatch {
  const names = new Set(operations.flatMap(({ as }) => as ?? []));
  const parsed = operations.map((operation) =>
    inOperation(operation, () => parsedOperation(operation, names)),
  );
  const rows = parsed.reduce((sum, one) => sum + one.rows, 0);
  if (rows > limits.writtenRows)
    reject('PM413', { message: `one batch writes at most ${limits.writtenRows} rows` });
  return { parts: partsOf(parsed), names: [...names], written: parsed, isDryRun };
}

function parsedOperation(operation: BatchOperation, names: ReadonlySet<string>): Parsed {
  const request = requestOfOperation(operation);
  const resource = catalog.readable.get(operation.resource) ?? reject(tableNotFound(operation.resource));
  if (resource.isUndoable === false) reject(notUndoable(resource.name));
  checkKeys(resource, request);
  const { select } = request.options;
  if (request.preferences.return === 'representation' && isCrossService(resource, select, catalog))
    reject(notComposed);
  if (operation.as !== null && referredIn(operation, names).has(operation.as))
    reject('PM400', { message: 'an operation cannot use its own result' });
  const embedded = embeddedResources(resource, select, catalog);
  const records = Math.max(recordsOf(resource, request) ?? 1, RECORDS_OF_OPERATION);
  return { operation, resource, embedded, rows: Math.max(1, request.rows.length), records };
}

/** All rows have the same keys. @throws {Rejection} PGRST204 for more keys than any resource has columns, which no service needs to see */
function checkKeys(resource: Resource, { rows: [row = {}], options }: ParsedRequest): void {
  const keys = Object.keys(row);
  if (options.columns !== null || keys.length <= limits.rowKeys) return;
  const unknown = keys.find((key) => !Object.hasOwn(resource.columns, key));
  if (unknown !== undefined) reject(noColumnToWrite(resource, unknown));
}

function partsOf(parsed: readonly Parsed[]): BatchPart[] {
  const parts: { service: string; operations: BatchOperation[]; records: number }[] = [];
  for (const { operation, resource, records } of parsed) {
    const last = parts.at(-1);
    const part =
      last?.service === resource.service ? last : { service: resource.service, operations: [], records: 0 };
    if (part !== last) parts.push(part);
    part.operations.push(operation);
    part.records = Math.min(part.records + records, limits.writtenRows);
  }
  return parts;
}

const notGrouped = problemFor('PM400', {
  message: 'a dry run needs the operations of a service next to each other',
  hint: 'Put operations of one service next to each other, or leave out tx=rollback.',
});

const notComposed = problemFor('PM400', {
  message: 'the response of an operation shows records of one service only',
  hint: 'Leave out the embedded resource, and read it after the batch.',
});

/** The most records that a write may affect, with the records of its dependent commands; undefined for one record. */
export function recordsOf({ mostDependents = 0 }: Resource, request: ParsedRequest): number | undefined {
  const records = Math.min(namedIn(request) * (1 + mostDependents), limits.writtenRows);
  return records > 1 ? records : undefined;
}

/** The number of records that a write names; the most that a request may write if the filter decides. */
function namedIn({ method, rows, options: { conditions } }: ParsedRequest): number {
  if (method === 'POST' || method === 'PUT') return rows.length;
  const namesOne = conditions.some(({ embed, value }) => embed.length === 0 && idIn(value) !== null);
  return namesOne ? 1 : limits.writtenRows;
}
