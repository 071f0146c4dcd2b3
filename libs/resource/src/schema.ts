// The values of a column as JSON Schema (2020-12; draft 07 has the same meaning), for responses and for events.

import { asRead } from './personal.js';
import type { Column } from './column.js';
import { rulesOf } from './rules.js';

/** The schema of a value in requests and responses, with the column's rules. */
export const shownSchema = (column: Column): object =>
  schemaOf(
    column,
    column.kind.schema,
    rulesOf(column).map((rule) => rule.schema),
  );

/** The schema of a value in events: the canonical form, which differs from responses for some kinds. */
export const recordedSchema = (column: Column): object =>
  column.kind.recorded === undefined
    ? shownSchema(asRead(column))
    : schemaOf(asRead(column), column.kind.recorded, []);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly [keyword: string]: unknown;
}

/** A schema without the bounds of the kind if a rule has a narrower bound: the wider bound is redundant, and generators refuse both. */
function withoutWiderBounds({ exclusiveMinimum, exclusiveMaximum, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(exclusiveMinimum === undefined || schema.minimum !== undefined ? {} : { exclusiveMinimum }),
    ...(exclusiveMaximum === undefined || schema.maximum !== undefined ? {} : { exclusiveMaximum }),
  };
}

function schemaOf(
  { nullable, description }: Column,
  kind: Readonly<Record<string, unknown>>,
  rules: readonly object[],
): object {
  const { example, ...schema } = kind;
  const whole = withoutWiderBounds(Object.assign({}, schema, ...rules) as Schema);
  return {
    ...whole,
    ...(nullable ? { type: [whole.type, 'null'] } : {}),
    ...(nullable && whole.enum !== undefined ? { enum: [...whole.enum, null] } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(description === undefined ? {} : { description }),
  };
}
