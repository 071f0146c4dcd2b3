// The rights to write records that the request of a caller does not name.

import { permits } from '@practice/contracts';
import { problemFor, reject, type Identity, type Problem } from '@practice/core';
import { checkRight } from '@practice/query';
import { accessOf, isAllowed, type Resource } from '@practice/resource';

/** @throws {Rejection} 42501 unless the role and the token of the caller have the right */
export function checkRights(
  resource: Resource,
  { practiceRole, scopes }: Identity,
  right: 'write' | 'delete',
): void {
  checkRight(resource, practiceRole, right);
  if (scopes !== undefined && !permits(scopes, resource.name, 'write')) reject(outOfScope(resource.name));
}

/** Whether the role and the token of the caller read every record of the resource. */
export const readsAll = (resource: Resource, { practiceRole, scopes }: Identity): boolean =>
  isAllowed(resource, practiceRole, 'read') &&
  accessOf(resource, practiceRole).of === undefined &&
  (scopes === undefined || permits(scopes, resource.name, 'read'));

const outOfScope = (resource: string): Problem =>
  problemFor('42501', {
    message: `permission denied: this personal access token lacks the scope ${resource}:write`,
  });
