// Errors for values of filters that Postgres cannot read. Its message has the type and the value, but not the column.

import type { Problem } from '@practice/core';
import type { Catalog, Column, Resource } from '@practice/resource';
import type { Filter } from '../parse/filter.js';
import { filtersIn } from '../parse/logic.js';
import type { ParsedRequest } from '../parse/request.js';

/** 22P02, and the codes of dates, times and numbers. */
const CODES = ['22P02', '22007', '22008', '22003', '22009'];

interface Asked {
  readonly resource: Resource;
  readonly request: ParsedRequest;
  readonly catalog: Catalog;
}

/** The problem with the column and the format in its message, and Postgres' message in the details. Other problems do not change. */
export function withFilterNamed(problem: Problem, asked: Asked): Problem {
  if (!CODES.includes(problem.code)) return problem;
  const value = /"(.*)"/s.exec(problem.message)?.[1];
  const message = value === undefined ? undefined : messageFor(asked, value);
  return message === undefined ? problem : { ...problem, message, details: problem.message };
}

function messageFor({ resource, request: { options }, catalog }: Asked, value: string): string | undefined {
  for (const { embed, value: condition } of options.conditions) {
    const field = filtersIn(condition).find((each) => hasValue(each, value))?.field;
    if (field === undefined || field.path.length > 0) continue;
    const of = embed.length === 0 ? resource : catalog.readable.get(embed.at(-1) ?? '');
    const name = [...embed, field.name].join('.');
    return expected(name, { column: of?.columns[field.name], value });
  }
  return undefined;
}

const expected = (
  name: string,
  { column, value }: { readonly column: Column | undefined; readonly value: string },
): string | undefined =>
  column && `the value of the filter ${name} must be ${column.kind.expects}, not "${value.slice(0, 100)}"`;

function hasValue({ operand }: Filter, value: string): boolean {
  switch (operand.kind) {
    case 'value':
      return operand.text === value;
    case 'list':
      return operand.elements.includes(value);
    case 'quantified':
      return operand.array.includes(value);
    default:
      return false;
  }
}
