// The refusal of an operation of a batch.

import { catalog } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { aboutReference, inOperation, withFilterNamed } from '@practice/query';
import type { BatchOperation, ParsedRequest } from '@practice/query';
import type { Resource } from '@practice/resource';
import { asProblem } from '@practice/storage';

interface Asked {
  /** The names of all operations of the batch. */
  readonly names: ReadonlySet<string>;
  /** The operation as a request, with the values that it refers to. */
  readonly request: () => ParsedRequest;
}

/** @throws {Rejection} the refusal, also if it is by the database, with the name of the operation; any other error is thrown as it is */
export function refuse(operation: BatchOperation, error: unknown, { names, request }: Asked): never {
  return inOperation(operation, () => {
    const refusal = error instanceof Rejection ? error : refusalOfDatabase(operation, error, request);
    throw refusal === undefined ? error : new Rejection(aboutReference(refusal.problem, names));
  });
}

function refusalOfDatabase(
  { resource: name }: BatchOperation,
  error: unknown,
  request: Asked['request'],
): Rejection | undefined {
  // The gateway has found the resource, so it exists.
  const resource = catalog.readable.get(name) as Resource;
  const refusal = asProblem(error, resource);
  if (!(refusal instanceof Rejection) || refusal.problem.status >= 500) return undefined;
  return new Rejection(withFilterNamed(refusal.problem, { resource, catalog, request: request() }));
}
