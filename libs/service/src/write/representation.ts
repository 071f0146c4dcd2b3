import { isStoredRecord } from '@practice/query';
import type { WriteTerms } from '@practice/query';
import { rowJson } from '@practice/resource';
import type { Row } from '@practice/resource';

/**
 * The response body when the caller asks for the written records as they are: their JSON was just stored, so nothing is read.
 * Null if no representation is requested, or one that needs a query.
 */
export function storedRepresentation(
  { returning, media, resource, timezone }: WriteTerms,
  rows: readonly Row[],
): string | null {
  if (returning === null || returning.order.length > 0 || returning.where.length > 0) return null;
  if (!isStoredRecord(returning.select.source, returning.select.items)) return null;
  if (media.stripped || media.shape === 'csv' || timezone !== null) return null;
  const records = rows.map((row) => rowJson(resource, row));
  return media.shape === 'object' ? (records[0] ?? null) : `[${records.join(',')}]`;
}
