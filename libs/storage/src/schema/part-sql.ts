// How each kind of part of a schema is created and dropped.

import type { SchemaPart } from './describe-schema.js';

interface PartSql {
  add(part: SchemaPart, on: string, schema: string): string;
  drop(part: SchemaPart, on: string, schema: string): string;
}

/** `on` is the table of the part, or its schema, in SQL. The definitions of functions, indexes and triggers name it themselves. */
export const partSql: Record<Exclude<SchemaPart['kind'], 'table'>, PartSql> = {
  type: {
    add: ({ name, definition }, _, schema) => `CREATE TYPE "${schema}"."${name}" ${definition}`,
    drop: ({ name }, _, schema) => `DROP TYPE "${schema}"."${name}"`,
  },
  function: {
    add: ({ definition }) => definition,
    drop: ({ name }, _, schema) => `DROP FUNCTION "${schema}".${name}`,
  },
  aggregate: {
    add: ({ name, definition }, _, schema) => `CREATE AGGREGATE "${schema}".${name} ${definition}`,
    drop: ({ name }, _, schema) => `DROP AGGREGATE "${schema}".${name}`,
  },
  column: {
    add: ({ name, definition }, on) => `ALTER TABLE ${on} ADD COLUMN "${name}" ${definition}`,
    drop: ({ name }, on) => `ALTER TABLE ${on} DROP COLUMN "${name}"`,
  },
  constraint: {
    add: ({ name, definition }, on) => `ALTER TABLE ${on} ADD CONSTRAINT "${name}" ${definition}`,
    drop: ({ name }, on) => `ALTER TABLE ${on} DROP CONSTRAINT "${name}"`,
  },
  index: {
    add: ({ definition }) => definition,
    drop: ({ name }, _, schema) => `DROP INDEX "${schema}"."${name}"`,
  },
  storage: {
    add: ({ definition }, on) => `ALTER TABLE ${on} SET (${definition})`,
    drop: ({ definition }, on) => `ALTER TABLE ${on} RESET (${definition.replaceAll(/=[^,]*/g, '')})`,
  },
  rls: {
    add: (_, on) => `ALTER TABLE ${on} ENABLE ROW LEVEL SECURITY`,
    drop: (_, on) => `ALTER TABLE ${on} DISABLE ROW LEVEL SECURITY`,
  },
  policy: {
    add: ({ name, definition }, on) => `CREATE POLICY "${name}" ON ${on} ${definition}`,
    drop: ({ name }, on) => `DROP POLICY "${name}" ON ${on}`,
  },
  trigger: {
    add: ({ definition }) => definition,
    drop: ({ name }, on) => `DROP TRIGGER "${name}" ON ${on}`,
  },
  grant: {
    add: ({ name, definition }, on) => `GRANT ${definition} ON ${on} TO ${name}`,
    drop: ({ name }, on) => `REVOKE ALL ON ${on} FROM ${name}`,
  },
};
