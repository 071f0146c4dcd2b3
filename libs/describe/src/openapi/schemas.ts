// A resource's records as JSON Schema: for reads, creates and updates.

import { asRead, entries, isDetached, isFixed, saysAmong, shownSchema } from '@practice/resource';
import { visibleColumns, type Column, type Resource } from '@practice/resource';
import { componentOf } from '../subject.js';

/** The schemas of a resource: `clients`, `clients.insert`, and `clients.update` if callers can change its records. */
export function schemasOf(resource: Resource): Record<string, object> {
  const { name, description, appendOnly, changeOnly, readOnly, historyOf } = resource;
  const read = {
    [componentOf(resource)]: {
      type: 'object',
      description: historyOf === undefined ? description : 'An event of a record.',
      properties: properties(resource, (column) => readProperty(asRead(column))),
      required: visibleColumns(resource).map(([column]) => column),
    },
  };
  if (readOnly === true) return read;
  return {
    ...read,
    ...(changeOnly === true ? {} : { [`${name}.insert`]: insertSchema(resource) }),
    ...(appendOnly === true ? {} : { [`${name}.update`]: updateSchema(resource) }),
  };
}

const insertSchema = (resource: Resource): object => ({
  type: 'object',
  description: 'A new record. Omitted columns have their default.',
  properties: properties(resource, insertProperty),
  ...whatIsRequired(resource),
  additionalProperties: false,
});

const updateSchema = (resource: Resource): object => ({
  type: 'object',
  description:
    'The columns to change. Read-only columns may be repeated unchanged, so a record that was read can be sent back.',
  properties: properties(resource, updateProperty),
  additionalProperties: false,
});

/**
 * The schema with the default as part of the description. With the keyword `default`, type generators require the property, in requests too.
 * @param property the schema of the column
 */
export function withDefault({ default: value }: Column, property: object): object {
  if (value === undefined) return property;
  const { description = '' } = property as { description?: string };
  const words = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
  return { ...property, description: `${description} ${words}`.trim() };
}

/** The shape of a record with `select`. */
export const selectedSchema = {
  Selected: {
    type: 'object',
    description: 'The selection of `select`: columns, aliases, casts, aggregates, related records.',
  },
};

type Property = (column: Column) => object;

const properties = (resource: Resource, property: Property): object =>
  Object.fromEntries(visibleColumns(resource).map(([name, column]) => [name, property(column)]));

/** The schema of a column in a response. */
export const readProperty: Property = (column) => {
  const { maxLength, references, among, description = '' } = column;
  const about = [
    description,
    references === undefined ? '' : `A record of \`${references}\`.`,
    among === undefined ? '' : `The ${saysAmong(among)}.`,
  ].filter(Boolean);
  return {
    ...shownSchema(column),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(about.length === 0 ? {} : { description: about.join(' ') }),
  };
};

/** The property of a column in a request. Null asks the server to compute the column, if the server can compute it. */
const givenProperty: Property = (column) =>
  readProperty(column.requiredUnless === undefined ? column : { ...column, nullable: true });

const insertProperty: Property = (column) => ({
  ...withDefault(column, givenProperty(column)),
  ...(column.serverKept === true || isDetached(column) ? { readOnly: true } : {}),
});

const updateProperty: Property = (column) => ({
  ...givenProperty(column),
  ...(isFixed(column) ? { readOnly: true } : {}),
});

function whatIsRequired({ columns }: Resource): object {
  const own = entries(columns).filter(([, { readOnly }]) => readOnly !== true);
  const required = own.filter(([, column]) => column.required === true).map(([name]) => name);
  // If one of the alternatives is required anyway, there is no choice.
  const either = own.flatMap(([name, { requiredUnless = [] }]) => {
    const others = [requiredUnless].flat();
    return others.length === 0 || others.some((other) => required.includes(other))
      ? []
      : [{ anyOf: [name, ...others].map((one) => ({ required: [one] })) }];
  });
  return { required, ...(either.length === 0 ? {} : { allOf: either }) };
}
