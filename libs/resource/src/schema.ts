// A column's values as JSON Schema (2020-12, which draft 07 reads the same): what callers see, and what events hold.

import type { Column } from './column.js';
import { rulesOf } from './rules.js';

/** Of a value as answers show it and bodies give it, with the column's rules. */
export const shownSchema = (column: Column): object =>
  schemaOf(
    column,
    column.kind.schema,
    rulesOf(column).map((rule) => rule.schema),
  );

/** Of the canonical value, which is what events hold: for some kinds not what answers show. */
export const recordedSchema = (column: Column): object =>
  column.kind.recorded === undefined ? shownSchema(column) : schemaOf(column, column.kind.recorded, []);

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
