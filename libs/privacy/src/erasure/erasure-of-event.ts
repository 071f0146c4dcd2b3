import { resourceOf } from '@practice/contracts';
import type { PublishedEvent } from '@practice/bus';
import { hasPersonalValues } from './erase.js';
import type { LedgerEntry } from './erasure-ledger.js';

/** The erasure that a service must do because of another service's event; undefined if the event requires none. */
export function erasureOfEvent(service: string, event: PublishedEvent): LedgerEntry | undefined {
  if (!hasPersonalValues(service)) return undefined;
  const { therapistId, data } = event;
  const { endOfPractice, erasesClient } = resourceOf(event) ?? {};
  const values = data as Readonly<Record<string, unknown>>;
  if (endOfPractice !== undefined && values[endOfPractice.erasedAt] != null)
    return { therapistId, client: 'all' };
  const client = erasesClient === undefined ? undefined : values[erasesClient];
  return typeof client === 'string' ? { therapistId, client } : undefined;
}
