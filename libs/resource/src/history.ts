// The history of a resource: one read-only row for each event of its records, derived from the definition.

import { practiceRoles } from '@practice/core';
import { column, type Columns } from './column.js';
import type { Resource } from './resource.js';
import { accessOf, VERSION, type RoleRule } from './roles.js';

const columns = {
  id: column.uuid({ required: true, description: 'The id of the record.' }),
  therapist_id: column.uuid({ required: true, description: 'The practice.' }),
  version: column.integer({
    required: true,
    description: 'The version of the record, from 1, without gaps.',
  }),
  position: column.bigint({
    required: true,
    description: 'The place in the log of the practice in this service, from 1, without gaps.',
  }),
  change_id: column.text({ description: 'The write that made it, and perhaps others: `scheduling:1042`.' }),
  event: column.text({ required: true, description: 'The type of the event: `AppointmentRescheduled`.' }),
  at: column.timestamp({ required: true, description: 'When it was recorded.' }),
  actor: column.text({ description: '`user`, `token`, `policy` or `system`.' }),
  actor_id: column.uuid({ description: 'The user; for a token its owner.' }),
  oauth_client_id: column.text({ description: 'The app (OAuth client) through which the user did it.' }),
  actor_name: column.text({
    description:
      'The name at that time: the user’s name or e-mail address, the token’s or the policy’s name; `Ada Lovelace via Calendar Sync` through an app.',
  }),
  reason: column.text({ description: 'The `Change-Reason` of the write.' }),
  request_id: column.text({ description: 'The `X-Request-Id` of the write.' }),
  caused_by: column.text({ description: 'The change of another service that a policy reacted to.' }),
  before: column.json({ description: 'The values that were replaced; null for a creation.' }),
  after: column.json({ description: 'The values that were set; null for a deletion.' }),
  erased: column.boolean({ default: false, description: 'Personal values were erased and are null.' }),
  undoes: column.text({ description: 'The change that this one takes back.' }),
} satisfies Columns;

const WITHOUT_VERSION = Object.keys(columns).filter((name) => name !== VERSION);

export const historyName = (resource: string): string => `${resource}_history`;

/** The history of a resource as a resource, which the dialect reads like any other. */
export const historyOf = (resource: Resource): Resource => {
  const { name, service, aggregate } = resource;
  return {
    ...{ name: historyName(name), service, aggregate },
    description: `The history of ${name}: one row for each event of a record, also of deleted ones. Read-only.`,
    columns: columns as never,
    events: {},
    versions: {},
    roles: Object.fromEntries(practiceRoles.map((role) => [role, ruleOf(accessOf(resource, role))])),
    readOnly: true,
    historyOf: resource,
  };
};

/**
 * The rule for a role. Roles that read the records read the history. A role with hidden columns does not see versions, since a gap
 * would show that hidden columns have changed. A role that sees only its own records sees only its own changes.
 */
function ruleOf({ may, hidden, of }: ReturnType<typeof accessOf>): RoleRule {
  if (may === 'none') return 'none';
  return {
    may: 'read',
    ...(hidden.size > 0 && { shows: WITHOUT_VERSION }),
    ...(of !== undefined && { of: 'actor_id' }),
  };
}
