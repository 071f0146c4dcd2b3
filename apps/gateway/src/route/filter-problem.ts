// Values of filters that Postgres cannot read: it names the type and the value, but not the column.

import type { Reply } from '@practice/bus';
import { catalog } from '@practice/contracts';
import { type Problem, problemBody } from '@practice/core';
import type { ParsedRequest } from '@practice/query';
import type { Column, Resource } from '@practice/resource';
import type { Call } from '../parse/parse.js';

const BAD_REQUEST = 400;
const CODE = /^\{"code":"(?:22P02|22007|22008|22003|22009)"/;
const CODE_BYTES = 17;

type Condition = ParsedRequest['options']['conditions'][number]['value'];
type Filter = Exclude<Condition, { kind: 'tree' }>;

/** The reply with the column and the format in its message, and Postgres' words in the details. Other replies stay as they are. */
export function withFilterNamed(call: Call, reply: Reply<Buffer>): Reply<Buffer> {
  const { status, body } = reply;
  if (status !== BAD_REQUEST || call.kind !== 'records') return reply;
  if (!CODE.test(body.toString('latin1', 0, CODE_BYTES))) return reply;
  const problem = JSON.parse(body.toString()) as Problem;
  const value = /"(.*)"/s.exec(problem.message)?.[1];
  const message = value === undefined ? undefined : messageFor(call, value);
  if (message === undefined) return reply;
  return {
    ...reply,
    body: Buffer.from(problemBody({ ...problem, message, details: problem.message })),
  };
}

function messageFor(
  { resource, request: { options } }: { readonly resource: Resource; readonly request: ParsedRequest },
  value: string,
): string | undefined {
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

const filtersIn = (condition: Condition): readonly Filter[] =>
  condition.kind === 'tree' ? condition.members.flatMap(filtersIn) : [condition];

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
