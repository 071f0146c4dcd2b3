import type { Resource, Row } from '@practice/resource';

interface KeyError extends Error {
  readonly code: string;
  readonly constraint?: string;
  detail?: string;
}

/**
 * A broken unique key with the detail that Postgres leaves out where row-level security applies, as a key might be another
 * owner's; ours begin with the practice, so it is the caller's own. The values are told where one record alone was written.
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

const isKeyError = (error: unknown): error is KeyError =>
  error instanceof Error && 'code' in error && error.code === '23505';
