// The roles that may read, write and delete the records of a resource, and the columns that a role does not see.

import { oncePer, practiceRoles, type PracticeRole } from '@practice/core';
import type { Columns } from './column.js';

/** Rights on the records of a resource. Each level includes the levels before it. `write` means create and change. */
export const accessLevels = ['none', 'read', 'write', 'delete'] as const;
export type Access = (typeof accessLevels)[number];

/** A role's access, to all columns and records or to some. */
export type RoleRule<Name extends string = string> =
  | Access
  | {
      readonly may: Access;
      /** The only columns that the role sees. Roles with such a list see a new column only when it is added to the list. */
      readonly shows?: readonly Name[];
      /** The role sees only the records that have the caller in this column, a `uuid` or a list of texts. */
      readonly of?: Name;
    };

/** The rules of a resource; a role without a rule has its default. */
export type RoleRules<Name extends string = string> = Readonly<Partial<Record<PracticeRole, RoleRule<Name>>>>;

/** The rules of a role for one resource, resolved. */
export interface RoleAccess {
  readonly may: Access;
  /** Columns that the role neither sees nor writes. Internal columns, which no role sees, are not among them. */
  readonly hidden: ReadonlySet<string>;
  /**
   * The column with the users who see a record; undefined if the role sees every record. If it is defined, the feeds, channels and
   * archives of the role do not contain the records.
   */
  readonly of?: string;
}

/** The defaults are safe for a new resource: only people who treat clients see it. `read_only` sees the same as `therapist`. */
const DEFAULTS: Readonly<Record<Exclude<PracticeRole, 'read_only'>, Access>> = {
  owner: 'delete',
  therapist: 'delete',
  front_desk: 'none',
  billing: 'none',
};

/** Columns that every role sees, because they identify a record and its practice. */
const ALWAYS_SHOWN = ['id', 'therapist_id'];

/** The version of a record. It is not part of the record, but a read can name it. */
export const VERSION = 'version';

/** Whether reads of a resource can name the version of a record. Views and results of functions have no events of their own. */
export const hasVersion = ({ events }: { readonly events: object }): boolean =>
  Object.keys(events).length > 0;

/** Columns that show changes of hidden columns, so they are hidden together with these. */
const SHOWS_CHANGES = ['updated_at', VERSION];

interface Ruled {
  readonly name: string;
  readonly columns: Columns;
  readonly roles?: RoleRules | undefined;
}

const rightsOf = oncePer(
  new WeakMap<Ruled, ReadonlyMap<PracticeRole, RoleAccess>>(),
  (resource) => new Map(practiceRoles.map((role) => [role, resolve(resource, role)])),
);

/** The rights of a role on the records of a resource. A role that this version of the software does not know has no rights. */
export const accessOf = (resource: Ruled, role: PracticeRole): RoleAccess =>
  rightsOf(resource).get(role) ?? NOTHING;

const NOTHING: RoleAccess = { may: 'none', hidden: new Set() };

/** Whether a role has a right on the records of a resource. */
export const isAllowed = (resource: Ruled, role: PracticeRole, wanted: Exclude<Access, 'none'>): boolean =>
  includes(accessOf(resource, role).may, wanted);

/** The roles that have a right on the records of a resource. */
export const rolesAllowed = (resource: Ruled, wanted: Exclude<Access, 'none'>): PracticeRole[] =>
  practiceRoles.filter((role) => isAllowed(resource, role, wanted));

export const rolesSeeing = (resource: Ruled, column: string): PracticeRole[] =>
  rolesAllowed(resource, 'read').filter((role) => !accessOf(resource, role).hidden.has(column));

const includes = (level: Access, wanted: Access): boolean =>
  accessLevels.indexOf(level) >= accessLevels.indexOf(wanted);

function resolve(resource: Ruled, role: PracticeRole): RoleAccess {
  const rule = resource.roles?.[role];
  if (rule !== undefined) return ofRule(resource, rule);
  if (role !== 'read_only') return { may: DEFAULTS[role], hidden: new Set() };
  const { may, ...rest } = resolve(resource, 'therapist');
  return { may: may === 'none' ? 'none' : 'read', ...rest };
}

function ofRule({ columns }: Ruled, rule: RoleRule): RoleAccess {
  if (typeof rule === 'string') return { may: rule, hidden: new Set() };
  const { may, shows, of } = rule;
  const hidden = new Set(shows === undefined ? [] : allBut(columns, shows));
  if (hidden.size > 0) for (const name of SHOWS_CHANGES) hidden.add(name);
  return { may, hidden, ...(of !== undefined && { of }) };
}

const allBut = (columns: Columns, shown: readonly string[]): string[] =>
  Object.keys(columns).filter(
    (name) => !shown.includes(name) && !ALWAYS_SHOWN.includes(name) && columns[name]?.internal !== true,
  );

/**
 * Checks that the lists of roles name columns of the resource, and only columns for which a list makes a difference.
 * @throws {Error} naming `resource.column`
 */
export function checkRoleRules({ name: resource, columns, roles = {} }: Ruled): void {
  for (const rule of Object.values(roles)) {
    const { shows = [], of } = typeof rule === 'string' ? {} : rule;
    if (of !== undefined && !(of in columns)) throw new Error(`${resource}.${of}: unknown column`);
    for (const name of shows) {
      const problem = problemOf(columns, name);
      if (problem !== undefined) throw new Error(`${resource}.${name}: ${problem}`);
    }
  }
}

function problemOf(columns: Columns, name: string): string | undefined {
  if (!(name in columns)) return 'unknown column';
  if (columns[name]?.internal === true) return 'no role sees it';
  if (ALWAYS_SHOWN.includes(name)) return 'every role sees it';
  return SHOWS_CHANGES.includes(name) ? 'it would show that hidden columns have changed' : undefined;
}
