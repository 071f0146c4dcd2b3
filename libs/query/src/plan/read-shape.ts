// Splits a read into its shape and the values of its filters. Requests that differ only in these values have the same shape. A service
// plans each shape once.

import { arrayLiteral, type Operand } from '../operators.js';
import type { Condition } from '../parse/logic.js';
import type { ParsedRequest } from '../parse/request.js';
import { isOfPractice } from './practice.js';

/** The value of a filter; a list has several. */
export type GivenValue = string | readonly string[];

/** The rest of a request in addition to its shape. */
export interface Given {
  readonly canonicalQuery: string;
  /** By slot. */
  readonly values: readonly GivenValue[];
  /** The cursor of a next page. */
  readonly after?: string;
}

/** The shape of a request, and the rest. A filter on the practice keeps its value, since the value decides whether the request is allowed. */
export function split(request: ParsedRequest): { readonly shape: ParsedRequest; readonly given: Given } {
  const values: GivenValue[] = [];
  const bare = (operand: Operand): Operand => {
    switch (operand.kind) {
      case 'value':
        return { kind: 'value', text: '', slot: values.push(operand.text) - 1 };
      case 'quantified':
        return { ...operand, array: '', slot: values.push(operand.array) - 1 };
      case 'list':
        return { kind: 'list', elements: [], slot: values.push(operand.elements) - 1 };
      case 'keyword':
      case 'search':
        return operand;
    }
  };
  const { after, canonicalQuery } = request;
  const bared = { ...withOperands(request, bare), canonicalQuery: '' };
  if (!after) return { shape: bared, given: { canonicalQuery, values } };
  return { shape: { ...bared, after: ANY_CURSOR }, given: { canonicalQuery, values, after } };
}

/** Stands for the cursor of a next page. */
const ANY_CURSOR = 'next';

/** The whole request: a shape filled with the rest. */
export function filled(shape: ParsedRequest, { canonicalQuery, values, after }: Given): ParsedRequest {
  const fill = (operand: Operand): Operand => {
    if (!('slot' in operand)) return operand;
    const { slot, ...empty } = operand;
    const value = values[slot] ?? '';
    if (empty.kind === 'list') return { ...empty, elements: typeof value === 'string' ? [value] : value };
    return empty.kind === 'value'
      ? { ...empty, text: boundText(value) }
      : { ...empty, array: boundText(value) };
  };
  return { ...withOperands(shape, fill), canonicalQuery, ...(after !== undefined && { after }) };
}

/** A value as Postgres gets it. */
export const boundText = (value: GivenValue): string =>
  typeof value === 'string' ? value : arrayLiteral(value);

function withOperands(request: ParsedRequest, change: (operand: Operand) => Operand): ParsedRequest {
  const { options } = request;
  if (options.conditions.length === 0) return request;
  const changed = (condition: Condition): Condition => {
    if (condition.kind === 'tree') return { ...condition, members: condition.members.map(changed) };
    return isOfPractice(condition) ? condition : { ...condition, operand: change(condition.operand) };
  };
  const conditions = options.conditions.map(({ embed, value }) => ({ embed, value: changed(value) }));
  return { ...request, options: { ...options, conditions } };
}
