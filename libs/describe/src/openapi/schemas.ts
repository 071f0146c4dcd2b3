// A resource's records as JSON Schema: as they are read, created and changed.

import { entries, shownSchema, visibleColumns } from '@practice/resource';
import type { Column, Resource } from '@practice/resource';

/** `clients`, `clients.insert` and, unless its records are written once, `clients.update`. */
export function schemasOf(resource: Resource): Record<string, object> {
  const { name, description, appendOnly } = resource;
  return {
    [name]: {
      type: 'object',
      description,
      properties: properties(resource, readProperty),
      required: visibleColumns(resource).map(([column]) => column),
    },
    [`${name}.insert`]: {
      type: 'object',
      description: 'A new record. Columns that are left out take their default.',
      properties: properties(resource, insertProperty),
      ...whatIsRequired(resource),
      additionalProperties: false,
    },
    ...(appendOnly === true ? {} : { [`${name}.update`]: updateSchema(resource) }),
  };
}

const updateSchema = (resource: Resource): object => ({
  type: 'object',
  description:
    'What changes. What only the server sets may be repeated as it is, so that a whole record can be sent back.',
  properties: properties(resource, updateProperty),
  additionalProperties: false,
});

/** What `select` asks for can be of any shape. */
export const selectedSchema = {
  Selected: {
    type: 'object',
    description: 'What `select` asks for: columns, aliases, casts, aggregates, related records.',
  },
};

type Property = (column: Column) => object;

const properties = (resource: Resource, property: Property): object =>
  Object.fromEntries(visibleColumns(resource).map(([name, column]) => [name, property(column)]));

const readProperty: Property = (column) => {
  const { maxLength, references, description = '' } = column;
  const about = [description, references === undefined ? '' : `A record of \`${references}\`.`].filter(
    Boolean,
  );
  return {
    ...shownSchema(column),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(about.length === 0 ? {} : { description: about.join(' ') }),
  };
};

const insertProperty: Property = (column) => ({
  ...readProperty(column),
  ...(column.default === undefined ? {} : { default: column.default }),
  ...(column.serverKept === true ? { readOnly: true } : {}),
});

const updateProperty: Property = (column) => ({
  ...readProperty(column),
  ...(column.readOnly === true ? { readOnly: true } : {}),
});

function whatIsRequired({ columns }: Resource): object {
  const own = entries(columns).filter(([, { readOnly }]) => readOnly !== true);
  const required = own.filter(([, column]) => column.required === true).map(([name]) => name);
  const either = own.flatMap(([name, { requiredUnless }]) =>
    requiredUnless === undefined ? [] : [{ anyOf: [{ required: [name] }, { required: [requiredUnless] }] }],
  );
  return { required, ...(either.length === 0 ? {} : { allOf: either }) };
}
