// The SQL of a migration from one description of a schema to another.

import { partKinds, type SchemaPart } from './describe-schema.js';
import { partSql } from './part-sql.js';

/** A literal for the rows that exist when a column that may not be null is added; undefined without a default. */
export type FillOf = (table: string, column: string) => string | undefined;

interface Names {
  readonly schema: string;
  readonly fillOf: FillOf;
}

/** Statements that turn `from` into `to`; none if they are the same. */
export function schemaDiff(
  names: Names,
  { from, to }: { from: readonly SchemaPart[]; to: readonly SchemaPart[] },
): string[] {
  const [before, after] = [byKey(from), byKey(to)];
  const [tables, keptTables] = [tablesOf(from), tablesOf(to)];
  const gone = from.filter(
    (part) => !after.has(keyOf(part)) && (part.kind === 'table' || keptTables.has(part.table)),
  );
  const changed = to.filter((part) => !isAs(part, before.get(keyOf(part))));
  return [
    ...inOrder(gone)
      .reverse()
      .map((part) => drop(names, part)),
    ...inOrder(changed).flatMap((part) => {
      const old = before.get(keyOf(part));
      if (old !== undefined) return change(names, old, part);
      if (part.kind === 'table') return [createTable(names, part, to)];
      return inCreateTable(part) && !tables.has(part.table) ? [] : [add(names, part)];
    }),
  ];
}

const keyOf = ({ kind, table, name }: SchemaPart): string => [kind, table, name].join('\0');

/** The code sets every value, so a default that a migration has left for the previous release makes no difference. */
function isAs({ kind, definition }: SchemaPart, found: SchemaPart | undefined): boolean {
  const isSpare = kind === 'column' && !DEFAULT.test(definition);
  return (isSpare ? found?.definition.replace(DEFAULT, '') : found?.definition) === definition;
}

const DEFAULT = / DEFAULT .*?(?=( NOT NULL)?$)/;

const byKey = (parts: readonly SchemaPart[]): ReadonlyMap<string, SchemaPart> =>
  new Map(parts.map((part) => [keyOf(part), part]));

/** The tables, and '' for the schema itself. */
const tablesOf = (parts: readonly SchemaPart[]): ReadonlySet<string> =>
  new Set(['', ...parts.filter(({ kind }) => kind === 'table').map(({ table }) => table)]);

const inOrder = (parts: readonly SchemaPart[]): SchemaPart[] =>
  partKinds.flatMap((kind) => parts.filter((part) => part.kind === kind));

const inCreateTable = ({ kind, definition }: SchemaPart): boolean =>
  kind === 'column' || kind === 'storage' || (kind === 'constraint' && !definition.startsWith('FOREIGN KEY'));

const sqlOf = ({ schema }: Names, { table }: SchemaPart): string =>
  table === '' ? `SCHEMA "${schema}"` : `"${schema}"."${table}"`;

function createTable(names: Names, part: SchemaPart, all: readonly SchemaPart[]): string {
  const own = inOrder(all.filter((other) => other.table === part.table && inCreateTable(other)));
  const lines = own
    .filter(({ kind }) => kind !== 'storage')
    .map(
      ({ kind, name, definition }) => `  ${kind === 'column' ? '' : 'CONSTRAINT '}"${name}" ${definition}`,
    );
  const storage = own.find(({ kind }) => kind === 'storage');
  return `CREATE TABLE ${sqlOf(names, part)} (\n${lines.join(',\n')}\n)${storage === undefined ? '' : ` WITH (${storage.definition})`}`;
}

function drop(names: Names, part: SchemaPart): string {
  const on = sqlOf(names, part);
  return part.kind === 'table' ? `DROP TABLE ${on}` : partSql[part.kind].drop(part, on, names.schema);
}

/** The statement that adds a part to a table that exists. */
function add(names: Names, part: SchemaPart): string {
  if (part.kind === 'table') throw new Error('a table is created as a whole');
  const on = sqlOf(names, part);
  const statement = partSql[part.kind].add(part, on, names.schema);
  const isRequired = part.kind === 'column' && NOT_NULL.test(part.definition);
  const fill = isRequired ? names.fillOf(part.table, part.name) : undefined;
  // Existing rows get the value that the definition gives to a record without one, and so do rows that the previous release
  // inserts during an upgrade.
  return fill === undefined ? statement : `${statement} DEFAULT ${fill}`;
}

function change(names: Names, from: SchemaPart, to: SchemaPart): string[] {
  if (to.kind === 'column') return changeColumn(names, from, to);
  if (to.kind === 'function' || to.kind === 'storage') return [add(names, to)];
  return [drop(names, from), add(names, to)];
}

const NOT_NULL = / ?NOT NULL$/;

function changeColumn(names: Names, from: SchemaPart, to: SchemaPart): string[] {
  const column = `ALTER TABLE ${sqlOf(names, to)} ALTER COLUMN "${to.name}"`;
  const after = to.definition.replace(NOT_NULL, '');
  const spare = DEFAULT.test(after) ? '' : DEFAULT;
  const before = from.definition.replace(spare, '').replace(NOT_NULL, '');
  const isRequired = (part: SchemaPart): boolean => NOT_NULL.test(part.definition);
  return [
    ...(before === after ? [] : [`${column} TYPE ${after}`]),
    ...(isRequired(from) === isRequired(to) ? [] : [`${column} ${isRequired(to) ? 'SET' : 'DROP'} NOT NULL`]),
  ];
}
