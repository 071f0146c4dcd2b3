import { visibleColumns, type Resource } from '@practice/resource';

const within =
  (place: 'query' | 'header') =>
  (name: string, description: string, more: object = {}): object => ({
    ...{ name, description, required: false, in: place, type: 'string' },
    ...more,
  });

const inQuery = within('query');
const inHeader = within('header');

const prefer = (...values: readonly string[]): object => inHeader('Prefer', 'Preference', { enum: values });

const returns = ['return=representation', 'return=minimal', 'return=headers-only'];

/** Parameters of every resource. */
export const plainParameters: Readonly<Record<string, object>> = {
  preferReturn: prefer(...returns),
  preferCount: prefer('count=exact', 'count=planned', 'count=estimated'),
  preferPost: prefer(...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: inQuery('select', 'Filtering Columns'),
  on_conflict: inQuery('on_conflict', 'On Conflict'),
  order: inQuery('order', 'Ordering'),
  range: inHeader('Range', 'Limiting and Pagination'),
  rangeUnit: inHeader('Range-Unit', 'Limiting and Pagination', { default: 'items' }),
  offset: inQuery('offset', 'Limiting and Pagination'),
  limit: inQuery('limit', 'Limiting and Pagination'),
};

/** A body and a filter for each column: `body.clients`, `rowFilter.clients.name`. */
export function parametersOf(resource: Resource): Readonly<Record<string, object>> {
  const { name } = resource;
  const body = {
    name,
    description: name,
    required: false,
    in: 'body',
    schema: { $ref: `#/definitions/${name}` },
  };
  const filters = visibleColumns(resource).map(([column, { description = '' }]) => [
    filterName(name, column),
    inQuery(column, description),
  ]);
  return { [`body.${name}`]: body, ...Object.fromEntries(filters) };
}

export const filterName = (resource: string, column: string): string => `rowFilter.${resource}.${column}`;
