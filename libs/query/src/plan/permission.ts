// The rights of a role, as the definitions describe them. A request beyond these rights is refused before a statement is made.

import { problemFor, reject, type PracticeRole, type Problem } from '@practice/core';
import { accessOf, isAllowed, rolesAllowed, rolesSeeing, type Resource } from '@practice/resource';
import type { Followed } from './relation.js';

/** The right that a method needs. */
export type Right = 'read' | 'write' | 'delete';

const NAMES: Readonly<Record<Right, string>> = { read: 'read', write: 'create or change', delete: 'delete' };

/** @throws {Rejection} 42501 */
export function checkRight(resource: Resource, role: PracticeRole, right: Right): void {
  if (!isAllowed(resource, role, right)) reject(notPermitted(resource, role, right));
}

/** @throws {Rejection} 42501 for a column that the role does not see */
export function checkSeen(resource: Resource, role: PracticeRole, column: string): void {
  if (accessOf(resource, role).hidden.has(column)) reject(notSeen(resource, role, column));
}

/**
 * Checks that a role may follow a relation: it may read the records at the other end, and sees the columns on both sides.
 * @throws {Rejection} 42501
 */
export function checkFollowed(from: Resource, { resource, here, there }: Followed, role: PracticeRole): void {
  checkRight(resource, role, 'read');
  checkSeen(from, role, here);
  checkSeen(resource, role, there);
}

/** Whether a role sees every column of a resource that callers can see. */
export const seesAll = (resource: Resource, role: PracticeRole): boolean =>
  accessOf(resource, role).hidden.size === 0;

const notPermitted = (resource: Resource, role: PracticeRole, right: Right): Problem =>
  problemFor('42501', {
    message: `permission denied for table ${resource.name}`,
    details: `The role ${role} may not ${NAMES[right]} records of ${resource.name}.`,
    hint: rolesHint(rolesAllowed(resource, right)),
  });

const notSeen = (resource: Resource, role: PracticeRole, column: string): Problem =>
  problemFor('42501', {
    message: `permission denied for column "${column}" of relation "${resource.name}"`,
    details: `The role ${role} does not see this column.`,
    hint: rolesHint(rolesSeeing(resource, column)),
  });

const rolesHint = (roles: readonly PracticeRole[]): string =>
  roles.length === 0 ? 'No role has this right.' : `Roles with this right: ${roles.join(', ')}.`;
