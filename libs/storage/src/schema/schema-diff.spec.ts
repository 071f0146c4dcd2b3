import { describe, expect, it } from '@jest/globals';
import type { SchemaPart } from './describe-schema.js';
import { schemaDiff } from './schema-diff.js';

const part = (kind: SchemaPart['kind'], name: string, definition: string): SchemaPart => ({
  kind,
  table: 'rooms',
  name,
  definition,
});
const rooms = [
  part('table', '', 'p'),
  part('column', 'name', 'text NOT NULL'),
  part('constraint', 'rooms_pkey', 'PRIMARY KEY (name)'),
];
const fillOf = (_: string, column: string): string | undefined => (column === 'seats' ? `'2'` : undefined);
const diff = (from: readonly SchemaPart[], to: readonly SchemaPart[]): string[] =>
  schemaDiff({ schema: 's', fillOf }, { from, to });

describe('the statements from one schema to another', () => {
  it('are an empty list if both are the same', () => {
    expect(diff(rooms, [...rooms].reverse())).toEqual([]);
  });

  it('create a table with its columns and constraints, then its indexes and policies', () => {
    const grant = part('grant', 'reader', 'SELECT');
    const created =
      'CREATE TABLE "s"."rooms" (\n  "name" text NOT NULL,\n  CONSTRAINT "rooms_pkey" PRIMARY KEY (name)\n)';
    expect(diff([], [grant, ...rooms])).toEqual([created, 'GRANT SELECT ON "s"."rooms" TO reader']);
  });

  it('drop a table without naming its parts', () => {
    expect(diff(rooms, [])).toEqual(['DROP TABLE "s"."rooms"']);
  });

  it('give existing rows the default of a new column that may not be null', () => {
    expect(diff(rooms, [...rooms, part('column', 'seats', 'integer NOT NULL')])).toEqual([
      `ALTER TABLE "s"."rooms" ADD COLUMN "seats" integer NOT NULL DEFAULT '2'`,
    ]);
  });

  it('leave a default in place that only the migrations know', () => {
    const filled = [...rooms, part('column', 'seats', `integer DEFAULT 2 NOT NULL`)];
    expect(diff(filled, [...rooms, part('column', 'seats', 'integer NOT NULL')])).toEqual([]);
    expect(diff([...rooms, part('column', 'seats', 'integer NOT NULL')], filled)).not.toEqual([]);
  });

  it('change the type and the nullability of a column', () => {
    const changed = rooms.map((one) => (one.name === 'name' ? part('column', 'name', 'citext') : one));
    expect(diff(rooms, changed)).toEqual([
      'ALTER TABLE "s"."rooms" ALTER COLUMN "name" TYPE citext',
      'ALTER TABLE "s"."rooms" ALTER COLUMN "name" DROP NOT NULL',
    ]);
  });

  it('drop before they create, dependent parts first', () => {
    const before = [
      ...rooms,
      part('column', 'floor', 'integer'),
      part('index', 'floor_idx', 'CREATE INDEX …'),
    ];
    const after = [...rooms, part('index', 'name_idx', 'CREATE INDEX name_idx …')];
    expect(diff(before, after)).toEqual([
      'DROP INDEX "s"."floor_idx"',
      'ALTER TABLE "s"."rooms" DROP COLUMN "floor"',
      'CREATE INDEX name_idx …',
    ]);
  });
});
