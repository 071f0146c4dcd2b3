// The resources as TypeScript types, in the format of `supabase gen types`, which supabase-js reads.

import { entries, visibleColumns } from '@practice/resource';
import type { Catalog, Column, Columns, Resource } from '@practice/resource';

/** The version of PostgREST whose features supabase-js infers types for, such as spreads of to-many relations. */
const DIALECT = '14';

/** The unformatted source text of `Database`, for `createClient<Database>()`. */
export function databaseTypes(catalog: Catalog): string {
  const resources = [...catalog.resources.values()];
  return [
    ...HEAD,
    `export type Database = {`,
    `/** The features that supabase-js infers types for. */\n__InternalSupabase: { PostgrestVersion: '${DIALECT}' };`,
    'public: {',
    `Tables: { ${resources.map((resource) => tableOf(resource, catalog)).join('\n')} };`,
    'Views: { [_ in never]: never };',
    'Functions: { [_ in never]: never };',
    `Enums: { ${resources.flatMap(enumsOf).join('\n')} };`,
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
  const members = (memberOf: Member): string =>
    visibleColumns(resource)
      .map(([name, column]) => memberOf(name, column, typeOf(resource, name, column)))
      .join('\n');
  return `
    /** ${resource.description} */
    ${resource.name}: {
      Row: { ${members(rowMember)} };
      Insert: { ${members(insertMember)} };
      Update: { ${members(resource.appendOnly === true ? neverMember : updateMember)} };
      Relationships: [${relationshipsOf(resource, catalog)}];
    };`;
}

type Member = (name: string, column: Column, type: string) => string;

const rowMember: Member = (name, column, type) => `${about(column)}${name}: ${type};`;

const insertMember: Member = (name, column, type) =>
  `${name}${column.required === true && column.readOnly !== true ? '' : '?'}: ${givenType(column, type)};`;

/** Columns that callers cannot change are allowed, so that a row that was read can be sent back. */
const updateMember: Member = (name, column, type) => `${name}?: ${givenType(column, type)};`;

/** Null in a column that the server can compute asks it to do so. */
const givenType = ({ requiredUnless }: Column, type: string): string =>
  requiredUnless === undefined ? type : `${type} | null`;

const neverMember = (name: string): string => `${name}?: never;`;

const about = ({ description }: Column): string =>
  description === undefined ? '' : `/** ${description} */\n`;

function typeOf({ name: resource }: Resource, name: string, { kind, oneOf, nullable }: Column): string {
  const type =
    oneOf === undefined ? kind.typescript : `Database['public']['Enums']['${enumName(resource, name)}']`;
  return nullable ? `${type} | null` : type;
}

const enumName = (resource: string, column: string): string => `${resource}_${column}`;

function enumsOf({ name: resource, columns }: Resource): string[] {
  return entries(columns as Columns).flatMap(([name, { oneOf, internal }]) =>
    oneOf === undefined || internal === true
      ? []
      : [`${enumName(resource, name)}: ${oneOf.map((value) => `'${value}'`).join(' | ')};`],
  );
}

function relationshipsOf({ name: resource }: Resource, { relations }: Catalog): string {
  return relations
    .filter(({ from }) => from === resource)
    .map(
      ({ name, column, to }) =>
        `{ foreignKeyName: '${name}'; columns: ['${column}']; isOneToOne: false; referencedRelation: '${to}'; referencedColumns: ['id']; },`,
    )
    .join('\n');
}
