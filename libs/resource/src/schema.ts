// A column's values as JSON Schema (2020-12; draft 07 reads it in the same way), for responses and for events.

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

function schemaOf(
  { nullable, description }: Column,
  kind: Readonly<Record<string, unknown>>,
  rules: readonly object[],
): object {
  const { example, ...schema } = kind;
  const whole = Object.assign({}, schema, ...rules) as { type?: string; enum?: readonly unknown[] };
  return {
    ...whole,
    ...(nullable ? { type: [whole.type, 'null'] } : {}),
    ...(nullable && whole.enum !== undefined ? { enum: [...whole.enum, null] } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(description === undefined ? {} : { description }),
  };
}
