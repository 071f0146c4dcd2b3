// Break-glass access: a member reads everything that their own role or the role `therapist` reads.

import { asReader, Rejection, type Identity, type PracticeRole } from '@practice/core';
import { accessOf, isPublic, type RoleAccess } from '@practice/resource';
import { definitions } from './catalog.js';

/** The roles with which a caller reads. With break-glass access, these are `therapist` and the caller's own role. */
export const readingRoles = (identity: Identity): readonly PracticeRole[] => [
  ...new Set([asReader(identity).practiceRole, identity.practiceRole]),
];

/**
 * The same for records of one service, with the role first that reads more of them. In each service, one of the two roles reads
 * everything that the other reads.
 */
export function rolesIn(service: string, identity: Identity): readonly PracticeRole[] {
  const [role, own] = readingRoles(identity);
  if (role === undefined || own === undefined) return [identity.practiceRole];
  return readsAll(service, role, own) ? [role, own] : [own, role];
}

/**
 * Plans a request with the first role of its caller that may send it.
 * @param service the owner of the records that the request names; relations may lead to other services
 * @throws {Rejection} 42501 if no role may send it
 */
export function inReadingRole<T>(service: string, identity: Identity, planned: (role: PracticeRole) => T): T {
  const [role, other] = rolesIn(service, identity);
  try {
    return planned(role ?? identity.practiceRole);
  } catch (error) {
    const isDenied = error instanceof Rejection && error.problem.code === '42501';
    if (other === undefined || !isDenied) throw error;
    return planned(other);
  }
}

/** Whether a role reads everything in a service that another role reads. */
export const readsAll = (service: string, role: PracticeRole, other: PracticeRole): boolean =>
  definitions
    .filter((resource) => resource.service === service && isPublic(resource))
    .every((resource) => covers(accessOf(resource, role), accessOf(resource, other)));

const covers = (one: RoleAccess, other: RoleAccess): boolean =>
  other.may === 'none' ||
  (one.may !== 'none' &&
    (one.of === undefined || one.of === other.of) &&
    [...one.hidden].every((name) => other.hidden.has(name)));
