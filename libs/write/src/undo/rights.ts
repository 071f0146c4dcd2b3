// Who may undo what: a caller may take back only what the caller may do.

import { notUndoable } from '@practice/contracts';
import { reject, type Identity, type Problem } from '@practice/core';
import { seesAll } from '@practice/query';
import type { Resource } from '@practice/resource';
import { checkRights } from '../engine/rights.js';
import type { StepBack } from './steps.js';

/**
 * @throws {Rejection} 42501 unless the role and the token of the caller may make each of these steps, and the role sees the records
 *   whole: a refusal names columns. 0A000 for a resource whose changes cannot be undone
 */
export function checkStepRights(steps: readonly StepBack[], caller: Identity): void {
  const { practiceRole } = caller;
  for (const { resource, kind } of steps) {
    const { name, isUndoable } = resource;
    checkRights(resource, caller, kind === 'remove' ? 'delete' : 'write');
    if (!seesAll(resource, practiceRole)) reject(notWhole(resource, practiceRole));
    if (isUndoable === false) reject(notUndoable(name));
  }
}

const notWhole = ({ name }: Resource, role: string): Problem => ({
  status: 403,
  code: '42501',
  message: `permission denied for table ${name}`,
  details: `The role ${role} does not see every column of ${name}, so it cannot undo changes of its records.`,
});
