// The rights to undo: an undo may contain only steps that its caller may make.

import { notUndoable, permits } from '@practice/contracts';
import { problemFor, reject, type Identity, type Problem } from '@practice/core';
import type { NewEvent } from '@practice/log';
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
  for (const step of steps) {
    const { resource } = step;
    const { name, isUndoable } = resource;
    if (!mayFollow(step, caller)) checkStepRight(step, caller);
    if (!seesAll(resource, practiceRole)) reject(notWhole(resource, practiceRole));
    if (isUndoable === false) reject(notUndoable(name));
  }
}

/**
 * Checks a step back of a record that followed others, such as an invoice that an allocation paid. If the step has no event of
 * its own, the record follows when the others are taken back, and the step needs no right to the record.
 * @param events what the step has decided
 * @throws {Rejection} 42501 when it has such an event, and the caller may not make the step
 */
export function checkFollows(step: StepBack, caller: Identity, events: readonly NewEvent[]): void {
  const { resource, event } = step;
  const isOwn = ({ aggregate, streamId }: NewEvent): boolean =>
    aggregate === resource.aggregate && streamId === event.streamId;
  if (mayFollow(step, caller) && events.some(isOwn)) checkStepRight(step, caller);
}

/** Whether the role may have changed the record only by changes of other records. */
const mayFollow = ({ resource, kind }: StepBack, { practiceRole, scopes }: Identity): boolean =>
  kind === 'set back' &&
  resource.derivedFor?.includes(practiceRole) === true &&
  (scopes === undefined || permits(scopes, resource.name, 'read'));

const checkStepRight = ({ resource, kind }: StepBack, caller: Identity): void =>
  checkRights(resource, caller, kind === 'remove' ? 'delete' : 'write');

const notWhole = ({ name }: Resource, role: string): Problem =>
  problemFor('42501', {
    message: `permission denied for table ${name}`,
    details: `The role ${role} does not see every column of ${name}, so it cannot undo changes of its records.`,
  });
