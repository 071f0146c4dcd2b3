// Reads of the dialect by functions, so that roles, row-level security, the access log and the bounds of slow reads apply as they do to
// callers' reads.

import { catalog, permits, rolesIn } from '@practice/contracts';
import { asReader, problemFor, reject, type Identity } from '@practice/core';
import { checkRight, parseRequest, PreparedRead } from '@practice/query';
import type { AccessLog } from '@practice/read';
import { isAllowed, type Resource } from '@practice/resource';
import type { TenantDatabase } from '@practice/storage';
import type { FunctionCall } from './function-handler.js';

/** The parts of a service that read. */
export interface Reads {
  readonly database: TenantDatabase;
  readonly accesses: AccessLog;
}

/** A read in the form of a caller's request. */
export interface DialectRead {
  readonly resource: Resource;
  readonly query: string;
}

/**
 * The rows that the caller reads, recorded in the access log as a read by this function.
 * @throws {Rejection} as a request of the caller
 */
export async function rowsOf<Row extends object>(
  { database, accesses }: Reads,
  { resource, query }: DialectRead,
  { caller, ...call }: FunctionCall,
): Promise<readonly Row[]> {
  const { therapistId, practiceRole, userId } = caller;
  const request = parseRequest({
    ...{ method: 'GET', resource: resource.name, query, headers: {}, body: NO_BODY },
  });
  const prepared = new PreparedRead(request).for({ catalog, therapistId, userId, practiceRole });
  const { rows } = await accesses.reading(
    () =>
      database.read({ therapistId, role: practiceRole }, prepared.query, {
        ...{ timezone: null, deadline: call.deadline, mayBeOld: false },
      }),
    { resource, by: { ...caller, requestId: call.requestId }, method: 'POST', attempt: prepared.attempt },
  );
  return JSON.parse(rows[0]?.[0] ?? '[]') as readonly Row[];
}

const NO_BODY = new Uint8Array();

/** The caller in the role that reads more of a service. */
export function readerIn(service: string, caller: Identity): Identity {
  const [practiceRole = caller.practiceRole] = rolesIn(service, caller);
  return { ...asReader(caller), practiceRole };
}

/**
 * Whether a function shows the caller a resource.
 * @param isNamed whether the caller asks for this resource, so that a missing right refuses the call
 * @throws {Rejection} 42501 for a resource that the caller has named, if it may not be read
 */
export function mayRead(resource: Resource, { practiceRole, scopes }: Identity, isNamed: boolean): boolean {
  const { name } = resource;
  const isInScope = scopes === undefined || permits(scopes, name, 'read');
  if (!isNamed) return isInScope && isAllowed(resource, practiceRole, 'read');
  checkRight(resource, practiceRole, 'read');
  return isInScope || reject(missingScope(name));
}

const missingScope = (name: string) =>
  problemFor('42501', { message: `permission denied: this token lacks the scope ${name}:read` });
