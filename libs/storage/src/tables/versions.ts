// The tables of replaced versions. A version is added by the statement that replaces it, so it can never be missing, and a write
// needs no further statement.

import { schemaOf } from '@practice/core';
import { keepsVersions, REPLACED_AT, versionsName, visibleColumns } from '@practice/resource';
import type { Resource, Row, Value } from '@practice/resource';

/** The table of a resource's replaced versions. */
export const versionsTableOf = ({ service, name }: Pick<Resource, 'service' | 'name'>): string =>
  `"${schemaOf(service)}"."${versionsName(name)}"`;

/** The tables of a resource: its read table, and the one of replaced versions if it has one. */
export const tablesOf = (resource: Pick<Resource, 'service' | 'name' | 'isPublic'>): string[] => [
  `"${schemaOf(resource.service)}"."${resource.name}"`,
  ...(keepsVersions(resource) ? [versionsTableOf(resource)] : []),
];

/** The columns of a version: the columns that callers see, and the version of the stream. */
export const versionColumns = (resource: Resource): string =>
  [...visibleColumns(resource).map(([name]) => `"${name}"`), 'version'].join(', ');

/** Rows of the read table that a statement replaces. */
interface Replaced {
  /** The rows as an item of FROM, named `t`. */
  readonly rows: string;
  /** SQL for the instant of the event that replaces a row. */
  readonly replacedAt: string;
}

/**
 * SQL that keeps the versions that a statement replaces; empty for a resource without past states. A version that was replaced at
 * the instant at which it began is not kept: no past state shows it.
 */
export function keepReplaced(resource: Resource, { rows, replacedAt }: Replaced): string {
  if (!keepsVersions(resource)) return '';
  const columns = visibleColumns(resource).map(([name]) => `t."${name}"`);
  return `INSERT INTO ${versionsTableOf(resource)} (${versionColumns(resource)}, ${REPLACED_AT})
SELECT ${columns.join(', ')}, t.version, ${replacedAt} FROM ${rows} WHERE t.updated_at < ${replacedAt}`;
}

/**
 * The approximate bytes that a changed record takes as a replaced version: the size of the version that replaces it. A deletion has these
 * bytes in its event. The quota counts them. Otherwise small changes of a long record would take storage without a limit.
 */
export function versionBytes({ resource, state, version }: Replacing): number {
  if (state === null || version === 1 || !keepsVersions(resource)) return 0;
  let bytes = 0;
  for (const value of Object.values(state)) bytes += bytesOf(value);
  return bytes;
}

/** A record as a transaction stores it. */
interface Replacing {
  readonly resource: Resource;
  readonly state: Row | null;
  readonly version: number;
}

const FIXED_BYTES = 8;

function bytesOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : FIXED_BYTES;
}
