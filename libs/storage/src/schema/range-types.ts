// Ranges of one value, for exclusions in which null agrees with every value: the range from null to null contains all values, and two
// ranges overlap if one of them is that range or both contain the same value. Postgres has no range of uuids, so a schema makes its own.

import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import type { Column, Resource } from '@practice/resource';

const typeOf = ({ kind }: Column): string => `${kind.sqlType}_range`;

const columnOf = ({ name, columns }: Resource, column: string): Column => {
  const found = columns[column];
  if (found === undefined) throw new Error(`${name}.${column}: unknown column`);
  return found;
};

/** DDL of the range types that a service's exclusions need. */
export function rangeTypes(service: string): string[] {
  const columns = resourcesOf(service).flatMap((resource) =>
    (resource.exclusions ?? []).flatMap(({ equalOrNull = [] }) =>
      equalOrNull.map((column) => columnOf(resource, column)),
    ),
  );
  const types = new Map(columns.map((column) => [typeOf(column), column.kind.sqlType]));
  return [...types].map(
    ([type, subtype]) => `CREATE TYPE "${schemaOf(service)}"."${type}" AS RANGE (subtype = ${subtype})`,
  );
}

/** SQL of the range that holds a column's value only, or all values if it is null. The table may be in another schema than the type. */
export const rangeOfOne = (resource: Resource, column: string): string =>
  `"${schemaOf(resource.service)}"."${typeOf(columnOf(resource, column))}"(${column}, ${column}, '[]')`;
