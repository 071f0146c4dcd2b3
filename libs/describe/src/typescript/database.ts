// The records as TypeScript types, in the shape in which `supabase gen types` writes them and supabase-js reads them.

import { entries, visibleColumns } from '@practice/resource';
import type { Catalog, Column, Columns, Resource } from '@practice/resource';

/** The dialect's version: on it the client's types decide what they infer, such as spreads of many records. */
const DIALECT = '14';

/** The source text of `Database`, which `createClient<Database>()` takes; unformatted. */
export function databaseTypes(catalog: Catalog): string {
  const resources = [...catalog.resources.values()];
  return [
    ...HEAD,
    `export type Database = {`,
    `/** How the client's types read the rest. */\n__InternalSupabase: { PostgrestVersion: '${DIALECT}' };`,
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
  '// Written by `npm run generate` from the definitions of the resources: change those instead.',
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

const insertMember: Member = (name, { required, readOnly }, type) =>
  `${name}${required === true && readOnly !== true ? '' : '?'}: ${type};`;

/** A row that was read may be sent back whole, so read-only columns are allowed too. */
const updateMember: Member = (name, _column, type) => `${name}?: ${type};`;

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
