import {
  asRead,
  visibleColumns,
  type Catalog,
  type Column,
  type Resource,
  type Relation,
} from '@practice/resource';

/** The definition of a resource's records. Columns that are never null are `required`, even if they have a default. */
export function definitionOf(resource: Resource, catalog: Catalog): object {
  const columns = visibleColumns(resource);
  return {
    description: resource.description,
    required: columns.filter(([, column]) => !asRead(column).nullable).map(([name]) => name),
    properties: Object.fromEntries(
      columns.map(([name, column]) => [
        name,
        propertyOf(column, describe(resource, name, { column, catalog })),
      ]),
    ),
    type: 'object',
  };
}

export function propertyOf({ kind, default: preset, oneOf, maxLength }: Column, description: string): object {
  const { type } = kind.schema as { type?: string };
  return {
    ...(description === '' ? {} : { description }),
    // The name of the type in Postgres without its modifiers. A JSON column has no `type`, since it can have any.
    format: kind.sqlType.replace(/\(.*\)/, ''),
    ...(kind.name === 'json' ? {} : { type }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(oneOf === undefined ? {} : { enum: oneOf }),
  };
}

const foreignKey = ({ to, there = 'id' }: Relation): string =>
  `This is a Foreign Key to \`${to}.${there}\`.<fk table='${to}' column='${there}'/>`;

/** The description of a column. Tools find the primary key and foreign keys by phrases that PostgREST has in it. */
function describe(
  { name: resource, historyOf }: Resource,
  name: string,
  { column: { description }, catalog }: { readonly column: Column; readonly catalog: Catalog },
): string {
  const relation = catalog.links.find(({ from, column }) => from === resource && column === name);
  const notes = [
    ...(name === 'id' || (historyOf !== undefined && name === 'version')
      ? ['This is a Primary Key.<pk/>']
      : []),
    ...(relation === undefined ? [] : [foreignKey(relation)]),
  ];
  const note = notes.length === 0 ? [] : [['Note:', ...notes].join('\n')];
  return [...(description === undefined ? [] : [description]), ...note].join('\n\n');
}
