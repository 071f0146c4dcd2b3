// An access to confidential records, as a row of the access log.

import { newId } from '@practice/core';
import type { Identity } from '@practice/core';
import type { Accessed, RestResponse } from '@practice/query';
import { isConfidential, MAX_RECORDED_IDS } from '@practice/resource';
import type { Resource } from '@practice/resource';
import type { AccessRow } from './access-log-table.js';

/** The request that reads, or that changes and shows what it has changed. */
export interface Accessor {
  /** For a read, as `asReader` returns it. */
  readonly by: Identity & { readonly requestId: string };
  readonly method: string;
}

/** The row of an access; none if the resource is not confidential, or no record was read. */
export const accessRows = (resource: Resource, accessor: Accessor, accessed: Accessed): AccessRow[] =>
  isConfidential(resource) && accessed.count > 0 ? [rowOf(resource, accessor, accessed)] : [];

function rowOf({ name }: Resource, { by, method }: Accessor, { ids, count }: Accessed): AccessRow {
  const isToken = by.tokenId !== undefined;
  return {
    id: newId(),
    therapist_id: by.therapistId,
    actor: isToken ? 'token' : 'user',
    actor_id: by.userId,
    actor_name: (isToken ? by.tokenName : by.userName) ?? null,
    request_id: by.requestId,
    resource: name,
    method,
    record_ids: ids !== null && ids.length <= MAX_RECORDED_IDS ? ids : null,
    count,
    address: by.address ?? null,
    break_glass_id: by.breakGlass?.id ?? null,
  };
}

/** The records that the response of a write shows: resource → ids. */
export type ShownRecords = ReadonlyMap<Resource, readonly string[]>;

/**
 * How the access by a write is recorded: by rows that are stored with its commit. A dry run has none, so it has to be recorded
 * after it, before its response is sent.
 */
export function accessOf(
  shown: ShownRecords,
  accessor: Accessor,
  isDryRun: boolean,
): { readonly accesses: readonly AccessRow[] } & Required<Pick<RestResponse, 'unrecorded'>> {
  const all = [...shown].map(([resource, ids]) => [resource, { count: ids.length, ids }] as const);
  return isDryRun
    ? { accesses: [], unrecorded: new Map(all.map(([{ name }, accessed]) => [name, accessed])) }
    : {
        accesses: all.flatMap(([resource, accessed]) => accessRows(resource, accessor, accessed)),
        unrecorded: new Map(),
      };
}
