// No filter may name another practice, with any operator and at any position.

import { problemFor, reject } from '@practice/core';
import { kinds } from '@practice/resource';
import { filtersIn, type Condition } from '../parse/logic.js';
import type { Operand } from '../operators.js';
import { requiredValue, type Filter } from '../parse/filter.js';
import type { Addressed } from '../parse/query-options.js';

const COLUMN = 'therapist_id';

/** @throws {Rejection} 42501 for a `therapist_id` that is not the caller's */
export function checkPractice(
  conditions: readonly Addressed<Condition>[],
  therapistId: string,
  resource: string,
): void {
  for (const { value } of conditions)
    if (filtersIn(value).some((filter) => namesAnother(filter, therapistId))) reject(foreign(resource));
}

/** Whether any filter names a practice, so that the plan depends on the practice of the caller. */
export const namesPractice = (conditions: readonly Addressed<Condition>[]): boolean =>
  conditions.some(({ value }) => filtersIn(value).some(isOfPractice));

export const isOfPractice = ({ field }: Filter): boolean => field.name === COLUMN;

/** Whether a filter is the condition that every statement has anyway. */
export const isOwnPractice = (filter: Filter, therapistId: string): boolean =>
  isOfPractice(filter) && filter.field.path.length === 0 && requiredValue(filter) === therapistId;

function namesAnother(filter: Filter, therapistId: string): boolean {
  if (!isOfPractice(filter)) return false;
  return textsOf(filter.operand).some((text) => {
    const practice = kinds.uuid.parse(text.trim());
    return practice.ok && practice.value !== therapistId;
  });
}

function textsOf(operand: Operand): readonly string[] {
  switch (operand.kind) {
    case 'value':
    case 'search':
      return [operand.text];
    case 'quantified':
      return operand.array.replaceAll('\\', '').split(/[{},"\s]+/);
    case 'list':
      return operand.elements;
    case 'keyword':
      return [];
  }
}

const foreign = (resource: string) =>
  problemFor('42501', {
    message: `permission denied for table ${resource}`,
    details: `A filter on ${COLUMN} names another practice.`,
  });
