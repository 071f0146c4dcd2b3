import { randomUUID } from 'node:crypto';
import type { EventMetadata } from '@practice/core';
import { checkRecord, entries, type Resource, type Row, type RowOf } from '@practice/resource';
import { NOW } from './given.js';

const standard = {
  id: '018f0000-0000-7000-8000-000000000010',
  therapist_id: '018f0000-0000-7000-8000-000000000001',
  created_at: NOW,
  updated_at: NOW,
};

/**
 * A builder of records that supplies every column that a test does not name.
 * @param usual the usual values of columns, if they are neither null nor the default
 * @throws {Rejection} when the definition would refuse a record with these values
 */
export function recordsOf<D extends Resource>(
  definition: D,
  usual: Partial<RowOf<D>>,
): (but?: Partial<RowOf<D>>) => RowOf<D> {
  const preset = entries(definition.columns).map(([name, column]) => [name, column.default ?? null]);
  const record = { ...(Object.fromEntries(preset) as Row), ...standard, ...usual };
  checkRecord(definition, record as Row);
  return (but = {}) => ({ ...record, ...but }) as RowOf<D>;
}

/** The metadata of an event that a spec appends to a log by itself. */
export const systemMetadata = (): EventMetadata => ({
  ...{ eventId: randomUUID(), actor: { kind: 'system' }, requestId: 'r', correlationId: 'c' },
});
