// The access log of a service: which callers read confidential records. It is derived for each service that owns confidential records.

import { column, type Columns } from './column.js';
import { plainTable } from './plain-table.js';
import type { Resource } from './resource.js';
import type { RowOf } from './row.js';

/** The maximum number of ids in a row. If an access has more, only their number is recorded. */
export const MAX_RECORDED_IDS = 1000;

export const ACCESS_LOG = 'access_log';

const columns = {
  id: column.uuid({ required: true, description: 'The id of the row.' }),
  therapist_id: column.uuid({ required: true, description: 'The practice.' }),
  at: column.timestamp({ required: true, description: 'When the records were read.' }),
  actor: column.text({ required: true, description: '`user` or `token`.' }),
  actor_id: column.uuid({ required: true, description: 'The user; for a token its owner.' }),
  actor_name: column.text({
    description: 'The name at that time: the user’s name or e-mail address, or the token’s name.',
  }),
  request_id: column.text({ required: true, description: 'The `X-Request-Id` of the request.' }),
  resource: column.text({ required: true, description: 'The resource whose records were read.' }),
  method: column.text({ required: true, description: 'The HTTP method.' }),
  record_ids: column.jsonArray({
    description: `The ids of the records. If they are more than ${MAX_RECORDED_IDS.toLocaleString('en')}, the ids of the records that the response shows; null if it shows none, or only their number.`,
  }),
  count: column.integer({
    required: true,
    description: 'The number of the records that the response depends on; 0 for a search in none.',
  }),
  address: column.text({ description: 'The network address of the caller.' }),
  break_glass_id: column.uuid({
    description: 'The security event of the break-glass access under which the records were read.',
  }),
} satisfies Columns;

/** A row of an access log. */
export type LoggedAccess = RowOf<{ readonly columns: typeof columns }>;

/** Whether reading the records of a resource, or their history, is recorded. */
export const isConfidential = ({ confidential, historyOf }: Resource): boolean =>
  (historyOf ?? { confidential }).confidential === true;

/**
 * Whether two resources need separate statements. A statement records the records of one resource only, so it can read confidential
 * records together with their history, but with no other resource.
 */
export const areReadApart = (one: Resource, other: Resource): boolean =>
  one.service !== other.service ||
  ((isConfidential(one) || isConfidential(other)) && shownBy(one) !== shownBy(other));

/** The resource whose records a resource shows: itself, or the resource that it is the history of. */
export const shownBy = ({ name, historyOf }: Resource): string => historyOf?.name ?? name;

/** The columns of a history that contain values of the record. */
const VALUES_OF_HISTORY: readonly string[] = ['before', 'after'];

/** Whether a column has confidential values of confidential records. */
export const holdsConfidential = (resource: Resource, name: string): boolean =>
  isConfidential(resource) &&
  (resource.historyOf === undefined
    ? resource.columns[name]?.confidential === true
    : VALUES_OF_HISTORY.includes(name));

/** The access log of a service as a resource, which the dialect reads like any other. */
export const accessLogOf = (service: string): Resource =>
  plainTable({
    ...{ name: ACCESS_LOG, service, columns },
    description:
      'Who read or searched confidential records: one row for each request, recorded before the response was sent. Read-only, for owners.',
    roles: { owner: 'read', therapist: 'none', read_only: 'none' },
  });
