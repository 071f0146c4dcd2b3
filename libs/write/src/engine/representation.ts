import type { Steps } from '@practice/core';
import { isStoredRecord, type WriteTerms } from '@practice/query';
import { rowJson, type Row } from '@practice/resource';

/** Whether the response needs a query. The JSON of whole records was just stored, so it is not read again. */
export function isRepresentationRead({ returning, media, timezone }: WriteTerms): boolean {
  if (returning === null) return false;
  if (returning.order.length > 0 || returning.where.length > 0) return true;
  if (!isStoredRecord(returning.select.source, returning.select.items)) return true;
  return media.stripped || media.shape === 'csv' || timezone !== null;
}

/** The response body if it needs no query; null if it does, or if no representation is requested. */
export function* storedRepresentation(terms: WriteTerms, rows: readonly Row[]): Steps<string | null> {
  if (terms.returning === null || isRepresentationRead(terms)) return null;
  const records: string[] = [];
  for (const row of rows) {
    records.push(rowJson(terms.resource, row));
    yield;
  }
  return terms.media.shape === 'object' ? (records[0] ?? null) : `[${records.join(',')}]`;
}
