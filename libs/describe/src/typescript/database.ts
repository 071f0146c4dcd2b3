// The resources as TypeScript types, in the format of `supabase gen types`, which supabase-js reads.

import {
  entries,
  hasVersion,
  isPublic,
  isRequired,
  methodsOf,
  VERSION,
  visibleColumns,
  type Catalog,
  type Column,
  type Columns,
  type FunctionDefinition,
  type Relation,
  type Resource,
  type Returns,
} from '@practice/resource';

/** The version of PostgREST that supabase-js infers types for. It decides on features such as spreads of to-many relations. */
const DIALECT = '14';

/** The unformatted source text of `Database`, for `createClient<Database>()`. */
export function databaseTypes(catalog: Catalog, functions: readonly FunctionDefinition[]): string {
  const resources = [...catalog.resources.values()];
  const readable = [...catalog.readable.values()];
  const tables = readable.filter(({ readOnly }) => readOnly !== true);
  const views = readable.filter(({ readOnly }) => readOnly === true);
  return [
    ...HEAD,
    ...views
      .filter(({ historyOf }) => historyOf !== undefined)
      .slice(0, 1)
      .map(historyType),
    `export type Database = {`,
    `/** The features that supabase-js infers types for. */\n__InternalSupabase: { PostgrestVersion: '${DIALECT}' };`,
    'public: {',
    `Tables: { ${tables.map((resource) => tableOf(resource, catalog)).join('\n')} };`,
    `Views: { ${views.map((view) => viewOf(view, catalog)).join('\n')} };`,
    functions.length === 0
      ? 'Functions: { [_ in never]: never };'
      : `Functions: { ${functions.map(functionType).join('\n')} };`,
    `Enums: { ${[...resources, ...readable.filter(({ isPlainTable }) => isPlainTable === true)].flatMap(enumsOf).join('\n')} };`,
    'CompositeTypes: { [_ in never]: never };',
    '}; };',
  ].join('\n');
}

const HEAD = [
  '// Written by `npm run generate` from the definitions in libs/contracts. Do not edit.',
  '',
  'export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];',
  '',
];

function tableOf(resource: Resource, catalog: Catalog): string {
  const computed = computedOf(resource);
  return `
    /** ${resource.description} */
    ${resource.name}: {
      Row: { ${[membersOf(resource, rowMember), ...computed.values()].join('\n')} };
      ComputedFields: ${[...computed.keys()].map((name) => `'${name}'`).join(' | ')};
      Insert: { ${membersOf(resource, resource.changeOnly === true ? neverMember : insertMember)}\n${nestedMembers(resource, catalog)} };
      Update: { ${membersOf(resource, resource.appendOnly === true ? neverMember : updateMember)} };
      Relationships: [${relationshipsOf(resource, catalog)}];
    };`;
}

/** Members that a read can name, but that `*` does not include, by name. supabase-js treats computed fields this way. */
const computedOf = (resource: Resource): ReadonlyMap<string, string> =>
  new Map([...(hasVersion(resource) ? [VERSION_MEMBER] : []), ...SEARCH_MEMBERS]);

const VERSION_MEMBER = [
  VERSION,
  `/** The version of the record, from 1. Only a read that names it returns it. */\n${VERSION}: number;`,
] as const;

const SEARCH_MEMBERS = [
  [
    '_rank',
    '/** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */\n_rank: number;',
  ],
  ['_snippet', '/** The passage that matches, with such a filter only. */\n_snippet: string | null;'],
] as const;

/** The members for records that may be created within a new record: of resources with exactly one column that refers to it. */
function nestedMembers({ name }: Resource, { relations, resources }: Catalog): string {
  const referring = relations.filter(({ to, from }) => to === name && isCreated(resources.get(from)));
  return referring
    .filter(({ from }) => referring.filter((other) => other.from === from).length === 1)
    .map(
      ({ from, column }) =>
        `${from}?: Omit<Database['public']['Tables']['${from}']['Insert'], '${column}'>[];`,
    )
    .join('\n');
}

const isCreated = (resource: Resource | undefined): boolean =>
  resource !== undefined && isPublic(resource) && methodsOf(resource).includes('POST');

function functionType({ name, description, arguments: given, returns }: FunctionDefinition): string {
  const args = entries(given).map(([arg, column]) =>
    rowMember(isRequired(column) ? arg : `${arg}?`, column, valueType(column)),
  );
  return `
    /** ${description} */
    ${name}: {
      Args: ${args.length === 0 ? 'never' : `{ ${args.join('\n')} }`};
      Returns: ${returnType(returns)};
    };`;
}

function returnType(returns: Returns): string {
  if (returns.kind === 'nothing') return 'undefined';
  const members = entries(returns.columns).map(([name, column]) =>
    rowMember(name, column, valueType(column)),
  );
  return `{ ${members.join('\n')} }${returns.kind === 'rows' ? '[]' : ''}`;
}

const literals = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(' | ');

/** The TypeScript type of a column. @param words the type of a column that has only certain words as values */
function valueType({ kind, oneOf, nullable }: Column, words = oneOf && literals(oneOf)): string {
  const type = words ?? kind.typescript;
  return nullable ? `${type} | null` : type;
}

/** A read-only resource: a view has no types for writes. */
const viewOf = (view: Resource, catalog: Catalog): string => `
    /** ${view.description} */
    ${view.name}: ${view.historyOf === undefined ? viewType(view, catalog) : `History<'${view.historyOf.name}'>`};`;

const viewType = (view: Resource, catalog: Catalog): string => `{
      Row: { ${membersOf(view, rowMember)} };
      Relationships: [${relationshipsOf(view, catalog)}];
    }`;

const membersOf = (resource: Resource, memberOf: Member): string =>
  visibleColumns(resource)
    .map(([name, column]) => memberOf(name, column, typeOf(resource, name, column)))
    .join('\n');

/** The type of all histories. They have the same columns and a single relation, to the record, and no types for writes. */
const historyType = (history: Resource): string => `
    /** The history of a resource: one row for each event of a record, also of deleted ones. */
    type History<Of extends string> = {
      Row: { ${membersOf(history, rowMember)} };
      Relationships: [${relationship({ name: '`${Of}_history_id_fkey`', column: 'id', to: 'Of' })}];
    };
    `;

type Member = (name: string, column: Column, type: string) => string;

const rowMember: Member = (name, column, type) => `${about(column)}${name}: ${type};`;

const insertMember: Member = (name, column, type) =>
  `${name}${column.required === true && column.readOnly !== true ? '' : '?'}: ${givenType(column, type)};`;

/** A member of an update. Columns that callers cannot change are allowed, so that callers can send back a row that they have read. */
const updateMember: Member = (name, column, type) => `${name}?: ${givenType(column, type)};`;

/** The type of a column in a request. Null asks the server to compute the column, if the server can compute it. */
const givenType = ({ requiredUnless }: Column, type: string): string =>
  requiredUnless === undefined ? type : `${type} | null`;

const neverMember = (name: string): string => `${name}?: never;`;

const about = ({ description }: Column): string =>
  description === undefined ? '' : `/** ${description} */\n`;

const typeOf = ({ name: resource }: Resource, name: string, column: Column): string =>
  valueType(column, column.oneOf && `Database['public']['Enums']['${enumName(resource, name)}']`);

const enumName = (resource: string, column: string): string => `${resource}_${column}`;

function enumsOf({ name: resource, columns }: Resource): string[] {
  return entries(columns as Columns).flatMap(([name, { oneOf, internal }]) =>
    oneOf === undefined || internal === true ? [] : [`${enumName(resource, name)}: ${literals(oneOf)};`],
  );
}

const relationshipsOf = ({ name: resource }: Resource, { links }: Catalog): string =>
  links
    .filter(({ from }) => from === resource)
    .map(({ name, column, to, there }) => relationship({ name: `'${name}'`, column, to: `'${to}'`, there }))
    .join('\n');

/** @param types the names of the foreign key and of the resource that it refers to, as types */
const relationship = ({
  name,
  column,
  to,
  there = 'id',
}: Pick<Relation, 'name' | 'column' | 'to'> & { there?: string | undefined }): string =>
  `{ foreignKeyName: ${name}; columns: ['${column}']; isOneToOne: false; referencedRelation: ${to}; referencedColumns: ['${there}']; },`;
