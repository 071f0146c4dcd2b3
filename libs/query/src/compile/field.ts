import type { Resource } from '@practice/resource';
import type { PlannedField } from '../plan/columns.js';
import { bind, quoted } from './statement.js';

/** The table of a resource, under the name that every statement here gives it. */
export const tableOf = ({ service, name }: Resource): string => `${quoted(service)}.${quoted(name)} AS t`;

export const columnSql = (name: string): string => `t.${quoted(name)}`;

/** A column, or the place in its JSON, as filters and orders compare it. */
export function fieldSql({ column, path }: PlannedField, values: string[]): string {
  const own = columnSql(column.name);
  if (path.length === 0) return own;
  const document = column.type.sqlType === 'jsonb' ? own : `to_jsonb(${own})`;
  const steps = path.map(({ asText, key }) => {
    const type = typeof key === 'number' ? 'integer' : 'text';
    return `${asText ? '->>' : '->'} ${bind(values, String(key))}::${type}`;
  });
  return `(${document} ${steps.join(' ')})`;
}
