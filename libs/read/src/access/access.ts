// An access to confidential records, as a row of the access log.

import { newId, type Identity } from '@practice/core';
import { SEARCH, type Accessed, type RestResponse } from '@practice/query';
import { isConfidential, MAX_RECORDED_IDS, type Resource } from '@practice/resource';
import type { AccessRow } from '@practice/storage';

/** The caller and the method of a request that reads records, or that changes records and shows them. */
export interface Accessor {
  /** The caller; for a read, the identity that `asReader` returns. */
  readonly by: Identity & { readonly requestId: string };
  readonly method: string;
}

/** The row of an access. Empty if the resource is not confidential, or if the request depends on no record and is not a search. */
export const accessRows = (resource: Resource, accessor: Accessor, accessed: Accessed): AccessRow[] =>
  isConfidential(resource) && (accessed.count > 0 || accessed.isSearch === true)
    ? [rowOf(resource, accessor, accessed)]
    : [];

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

/** The records that the response of a write depends on: resource → ids. */
export type ShownRecords = ReadonlyMap<Resource, readonly string[]>;

/** The confidential records among the shown ones, by the name of the resource. */
export const accessedIn = (shown: ShownRecords): ReadonlyMap<string, Accessed> =>
  new Map(
    [...shown]
      .filter(([resource, ids]) => isConfidential(resource) && ids.length > 0)
      .map(([{ name }, ids]) => [name, { count: ids.length, ids }]),
  );

/** The response to a write, or its refusal. */
export type Written = Pick<RestResponse, 'status' | 'body' | 'unrecorded'>;

/** The access that a response still has to record. A kept response of an earlier version of the software does not name its records. */
export const unrecordedIn = ({ body, unrecorded }: Written, { name }: Resource): Accessed | undefined =>
  unrecorded === undefined && body !== null ? SEARCH : unrecorded?.get(name);

/**
 * How the access by a write is recorded: `accesses` are stored with its commit. A dry run has no commit, so its access is recorded
 * before the response is sent (`unrecorded`). The same is true for a kept response that is sent again (`replayed`).
 */
export function accessOf(
  shown: ShownRecords,
  accessor: Accessor,
  isDryRun: boolean,
): {
  readonly accesses: readonly AccessRow[];
  readonly unrecorded: ReadonlyMap<string, Accessed>;
  readonly replayed: Pick<RestResponse, 'unrecorded'>;
} {
  const all = accessedIn(shown);
  return {
    accesses: isDryRun
      ? []
      : [...shown.keys()].flatMap((resource) =>
          accessRows(resource, accessor, all.get(resource.name) ?? NONE),
        ),
    unrecorded: isDryRun ? all : new Map(),
    replayed: { unrecorded: all },
  };
}

/** An access to no record, which is not recorded. */
export const NONE: Accessed = { count: 0, ids: [] };
