import type { Resource, Row } from '@practice/resource';
import { asProblem } from '@practice/storage';

interface KeyError extends Error {
  readonly code: string;
  readonly constraint?: string;
  detail?: string;
}

/**
 * Adds to a unique violation the detail that Postgres omits under row-level security, because a key could belong to another
 * owner. Keys here begin with the practice, so they are the caller's own. The values are included if one record was written.
 */
export function withViolatedKey(error: unknown, resource: Resource, records: readonly Row[]): unknown {
  if (!isKeyError(error) || error.detail !== undefined) return error;
  const key = resource.uniques?.find(({ name }) => name === error.constraint);
  if (key === undefined) return error;
  const [record, ...others] = records;
  const values = key.columns.map((column) => String(record?.[column])).join(', ');
  const told = record === undefined || others.length > 0 ? '' : `=(${values})`;
  error.detail = `Key (${key.columns.join(', ')})${told} already exists.`;
  return error;
}

/** An error of the database as a problem, with the message that the definition of the resource has for the broken rule. */
export function asBrokenRule(error: unknown, resources: readonly Resource[]): unknown {
  const { constraint } = error as Partial<KeyError>;
  const resource = resources.find(({ uniques = [], exclusions = [] }) =>
    [...uniques, ...exclusions].some(({ name }) => name === constraint),
  );
  return resource === undefined ? error : asProblem(withViolatedKey(error, resource, []), resource);
}

const isKeyError = (error: unknown): error is KeyError =>
  error instanceof Error && 'code' in error && error.code === '23505';
