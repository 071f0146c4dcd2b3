// TypeORM's view of the read tables, derived from the definitions. The DDL of the read tables is made from it.

import { schemaOf } from '@practice/core';
import {
  checkConstraints,
  entries,
  keepsVersions,
  REPLACED_AT,
  versionsName,
  visibleColumns,
} from '@practice/resource';
import type { Column, Exclusion, Resource, Unique, Where } from '@practice/resource';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { rangeOfOne } from './range-types.js';

/**
 * The tables of a resource as entities.
 * @param schema of the tables; the service's own, unless a rebuild makes new tables
 */
export const entitiesOf = (resource: Resource, schema = schemaOf(resource.service)): EntitySchema[] => [
  entityOf(resource, schema),
  ...(keepsVersions(resource) ? [versionsEntityOf(resource, schema)] : []),
];

/** The read table. */
function entityOf(resource: Resource, schema: string): EntitySchema {
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
    indices: indexesOf(resource, resource.name),
  });
}

/**
 * The table of replaced versions of a resource, with the indexes of its read table: a past state is read by the same conditions.
 * It has no constraints, since the rows met them when they were written.
 */
function versionsEntityOf(resource: Resource, schema: string): EntitySchema {
  const tableName = versionsName(resource.name);
  const own = visibleColumns(resource).filter(([name]) => !KEY.includes(name));
  return new EntitySchema({
    name: `${schema}.${tableName}`,
    tableName,
    schema,
    columns: Object.fromEntries([
      ...[...KEY, 'version'].map((name) => [
        name,
        {
          type: name === 'version' ? 'integer' : 'uuid',
          primary: true,
          primaryKeyConstraintName: `${tableName}_pkey`,
        },
      ]),
      ...own.map(([name, column]) => [name, columnOf(column)]),
      [REPLACED_AT, { type: 'timestamp with time zone' }],
    ]) as Record<string, EntitySchemaColumnOptions>,
    indices: indexesOf(resource, tableName),
  });
}

const indexesOf = ({ indexes = [] }: Resource, tableName: string): { name: string; columns: string[] }[] =>
  indexes.map((columns) => ({
    name: `${tableName}_${columns.join('_')}_idx`,
    columns: ['therapist_id', ...columns],
  }));

const KEY = ['therapist_id', 'id'];

/** Checked at the end of a statement, not row by row: the intermediate states of a bulk change may break the rule. */
const AT_END = 'INITIALLY IMMEDIATE' as const;

function columnOf({ kind, nullable, personal }: Column): EntitySchemaColumnOptions {
  const isArray = kind.sqlType.endsWith('[]');
  const single = isArray ? kind.sqlType.slice(0, -2) : kind.sqlType;
  const [, type = single, precision, scale] = /^(\w+)\((\d+),(\d+)\)$/.exec(single) ?? [];
  return {
    type: type as EntitySchemaColumnOptions['type'],
    // An erased value is null.
    nullable: nullable || personal !== undefined,
    ...(isArray ? { array: true } : {}),
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
  const { name, equal = [], equalOrNull = [], overlap, unlessSame = [], where } = exclusion;
  const day = overlap.day ?? `'2000-01-01'::date`;
  const same = unlessSame.map((column) => resource.columns[column]?.kind.immutableText(column));
  const members = [
    ...['therapist_id', ...equal].map((column) => `${column} WITH =`),
    `tsrange(${day} + ${overlap.from}, ${day} + ${overlap.to}) WITH &&`,
    ...(same.length === 0 ? [] : [`coalesce(${same.join(` || '/' || `)}, id::text) WITH <>`]),
    // Last, because ranges are the slowest to compare and the other members decide about nearly all rows.
    ...equalOrNull.map((column) => `${rangeOfOne(resource, column)} WITH &&`),
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
