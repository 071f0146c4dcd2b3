// The role rules of the definitions as row-level security: the second layer behind the plan of a request.

import { schemaOf } from '@practice/core';
import { isReadableBy, isWritableBy, readsAs, roleArray, SYSTEM, writerOfRow } from '@practice/log';
import { isPublic, personalOf, rolesAllowed, versionsName, type Resource } from '@practice/resource';

/**
 * The roles with a right, and the service itself. Callers do not reach a resource that is not public, and do not delete a record
 * that can only be changed.
 */
export function permitted(resource: Resource, right: Parameters<typeof rolesAllowed>[1]): string[] {
  const isReached = isPublic(resource) && !(right === 'delete' && staysForEver(resource));
  const deriving = right === 'write' ? (resource.derivedFor ?? []) : [];
  return [...new Set([...(isReached ? rolesAllowed(resource, right) : []), ...deriving, SYSTEM])];
}

/** SQL that limits a table to rows that satisfy these conditions, one for each command. */
export const limitedTo = (
  table: string,
  role: string,
  conditions: Readonly<Record<string, string>>,
): string[] => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  ...Object.entries(conditions).map(
    ([command, condition]) =>
      `CREATE POLICY ${command.toLowerCase()}_own ON ${table} FOR ${command} TO "${role}" ${condition}`,
  ),
];

/** Policies of a read table: rows of the connection's practices, for the roles that have the right of the command. */
export function tablePolicies(resource: Resource, schema: string): string[] {
  const writable = isWritableBy(permitted(resource, 'write'));
  return limitedTo(`"${schema}"."${resource.name}"`, schemaOf(resource.service), {
    SELECT: `USING (${isReadableBy(permitted(resource, 'read'))})`,
    INSERT: `WITH CHECK (${writable})`,
    UPDATE: `USING (${writable}) WITH CHECK (${writable})`,
    DELETE: `USING (${isWritableBy(permitted(resource, 'delete'))})`,
  });
}

/** Policies of a table of replaced versions: the roles that read the records read it, and the roles that write the records add to it. */
export function versionsPolicies(resource: Resource, schema: string): string[] {
  const byService = isWritableBy([SYSTEM]);
  return limitedTo(`"${schema}"."${versionsName(resource.name)}"`, schemaOf(resource.service), {
    SELECT: `USING (${isReadableBy(permitted(resource, 'read'))})`,
    INSERT: `WITH CHECK (${isWritableBy(permitted(resource, 'write'))})`,
    // Only an erasure changes a version, and the service itself runs it.
    ...(personalOf(resource) !== null && { UPDATE: `USING (${byService}) WITH CHECK (${byService})` }),
  });
}

/**
 * The policies of a log that compare roles; other policies compare the practice. An event is read by the roles that may read the
 * record, and appended by the roles that may write it. A DELETE of rows that a role may not delete affects no row and is no error
 * in Postgres, but the event of the deletion is refused here.
 */
export function eventPolicies(service: string, resources: readonly Resource[]): string[] {
  const role = schemaOf(service);
  const written = resources.map((resource) => ofAggregate(resource, permitted(resource, 'write')));
  const appended = resources.flatMap((resource, index) => [
    ...deletionOf(resource),
    ...written.slice(index, index + 1),
  ]);
  const readable = `SELECT TO "${role}" USING (${readsAs(caseOf(resources.map((resource) => ofAggregate(resource, permitted(resource, 'read')))))})`;
  const permittedTo = (cases: readonly string[]): string =>
    `INSERT TO "${role}" WITH CHECK (${writerOfRow} = ANY (${caseOf(cases)}))`;
  const restrict = (table: string, cases: readonly string[]): string[] => [
    `CREATE POLICY readable ON "${role}".${table} AS RESTRICTIVE FOR ${readable}`,
    `CREATE POLICY permitted ON "${role}".${table} AS RESTRICTIVE FOR ${permittedTo(cases)}`,
  ];
  return [...restrict('events', appended), ...restrict('personal_values', written)];
}

const ofAggregate = ({ aggregate }: Resource, roles: readonly string[], condition = ''): string =>
  `WHEN aggregate = '${aggregate}'${condition} THEN ${roleArray(roles)}`;

function deletionOf(resource: Resource): string[] {
  const types = Object.keys(resource.events).filter((type) => resource.events[type] === 'deleted');
  if (types.length === 0) return [];
  const among = ` AND type IN (${types.map((type) => `'${type}'`).join(', ')})`;
  return [ofAggregate(resource, permitted(resource, 'delete'), among)];
}

/** SQL for the roles of the first case that holds; only the service itself for an aggregate without a definition. */
const caseOf = (cases: readonly string[]): string =>
  cases.length === 0 ? roleArray([SYSTEM]) : `CASE ${cases.join(' ')} ELSE ${roleArray([SYSTEM])} END`;

/** Whether stored records are never removed. An undo of the first change of a record that exists from the start removes it. */
const staysForEver = ({ changeOnly, fromStart }: Resource): boolean =>
  changeOnly === true && fromStart !== true;
