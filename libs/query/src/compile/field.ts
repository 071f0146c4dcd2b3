import type { Resource } from '@practice/resource';
import type { PlannedField } from '../plan/columns.js';
import { bind, quoted } from './statement.js';
import type { Scope } from './statement.js';

/** The table of a resource, under the name that the scope gives it. */
export const tableSql = ({ service, name }: Resource, { table }: Scope): string =>
  `${quoted(service)}.${quoted(name)} AS ${table}`;

export const columnSql = (name: string, { table }: Scope): string => `${table}.${quoted(name)}`;

/** A column, or the place in its JSON, as filters and orders compare it. */
export function fieldSql({ column, path }: PlannedField, scope: Scope): string {
  const own = columnSql(column.name, scope);
  if (path.length === 0) return own;
  const document = column.type.sqlType === 'jsonb' ? own : `to_jsonb(${own})`;
  const steps = path.map(({ asText, key }) => {
    const type = typeof key === 'number' ? 'integer' : 'text';
    return `${asText ? '->>' : '->'} ${bind(scope, String(key))}::${type}`;
  });
  return `(${document} ${steps.join(' ')})`;
}
