// TypeORM's view of the read tables, derived from the definitions. The DDL of the read tables is made from it.

import { schemaOf } from '@practice/core';
import { checkConstraints, entries } from '@practice/resource';
import type { Column, Exclusion, Resource, Unique, Where } from '@practice/resource';
import { EntitySchema } from 'typeorm';
import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * The read table of a resource as an entity.
 * @param schema of the table; the service's own, unless a rebuild makes new tables
 */
export function entityOf(resource: Resource, schema = schemaOf(resource.service)): EntitySchema {
  const own = entries(resource.columns).filter(([name]) => !KEY.includes(name));
  return new EntitySchema({
    name: `${schema}.${resource.name}`,
    tableName: resource.name,
    schema,
    columns: Object.fromEntries([
      // The practice comes first in the key: its rows are stored together, and ids are unique within it.
      ...KEY.map((name) => [
        name,
        { type: 'uuid', primary: true, primaryKeyConstraintName: `${resource.name}_pkey` },
      ]),
      ...own.map(([name, column]) => [name, columnOf(column)]),
      ['version', { type: 'integer' }],
      ['_json', { type: 'text' }],
    ]) as Record<string, EntitySchemaColumnOptions>,
    checks: checkConstraints(resource).map(([name, expression]) => ({ name, expression })),
    uniques: (resource.uniques ?? []).filter(({ where }) => where === undefined).map(uniqueOf),
    exclusions: [
      ...(resource.exclusions ?? []).map((exclusion) => exclusionOf(resource, exclusion)),
      ...(resource.uniques ?? []).filter(({ where }) => where !== undefined).map(partialUniqueOf),
    ],
    indices: (resource.indexes ?? []).map((columns) => ({
      name: `${resource.name}_${columns.join('_')}_idx`,
      columns: ['therapist_id', ...columns],
    })),
  });
}

const KEY = ['therapist_id', 'id'];

/** Checked at the end of a statement, not row by row: the intermediate states of a bulk change may break the rule. */
const AT_END = 'INITIALLY IMMEDIATE' as const;

function columnOf({ kind, nullable }: Column): EntitySchemaColumnOptions {
  const [, type = kind.sqlType, precision, scale] = /^(\w+)\((\d+),(\d+)\)$/.exec(kind.sqlType) ?? [];
  return {
    type: type as EntitySchemaColumnOptions['type'],
    nullable,
    ...(precision === undefined ? {} : { precision: Number(precision), scale: Number(scale) }),
  } as EntitySchemaColumnOptions;
}

const uniqueOf = ({
  name,
  columns,
}: Unique): { name: string; columns: string[]; deferrable: typeof AT_END } => ({
  name,
  columns: ['therapist_id', ...columns],
  deferrable: AT_END,
});

type ExclusionOptions = { name: string; expression: string; deferrable: typeof AT_END };

/** A unique index cannot be both partial and checked at the end of a statement; an exclusion constraint on `=` can. */
const partialUniqueOf = ({ name, columns, where = {} }: Unique): ExclusionOptions => ({
  name,
  expression: `USING btree (${['therapist_id', ...columns].map((column) => `${column} WITH =`).join(', ')}) ${whereOf(where)}`,
  deferrable: AT_END,
});

function exclusionOf(resource: Resource, exclusion: Exclusion): ExclusionOptions {
  const { name, equal = [], overlap, unlessSame = [], where } = exclusion;
  const day = overlap.day ?? `'2000-01-01'::date`;
  const same = unlessSame.map((column) => resource.columns[column]?.kind.immutableText(column));
  const members = [
    ...['therapist_id', ...equal].map((column) => `${column} WITH =`),
    `tsrange(${day} + ${overlap.from}, ${day} + ${overlap.to}) WITH &&`,
    ...(same.length === 0 ? [] : [`coalesce(${same.join(` || '/' || `)}, id::text) WITH <>`]),
  ];
  return {
    name,
    expression: `USING gist (${members.join(', ')}) ${whereOf(where ?? {})}`.trim(),
    deferrable: AT_END,
  };
}

function whereOf(where: Where): string {
  const terms = Object.entries(where).map(
    ([column, values]) => `${column} IN (${values.map(literal).join(', ')})`,
  );
  return terms.length === 0 ? '' : `WHERE (${terms.join(' AND ')})`;
}

const literal = (value: string | boolean): string =>
  typeof value === 'string' ? `'${value}'` : String(value);
