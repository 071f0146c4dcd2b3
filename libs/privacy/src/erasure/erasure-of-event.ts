import { erasures, practices } from '@practice/contracts';
import type { PublishedEvent } from '@practice/bus';
import { hasPersonalValues } from './erase.js';
import type { LedgerEntry } from './erasure-ledger.js';

/** The erasure that an event of another service asks of a service; undefined for any other event. */
export function erasureOfEvent(
  service: string,
  { aggregate, therapistId, data }: PublishedEvent,
): LedgerEntry | undefined {
  if (!hasPersonalValues(service)) return undefined;
  const values = data as Readonly<Record<string, unknown>>;
  if (aggregate === practices.aggregate)
    return values['erased_at'] == null ? undefined : { therapistId, client: 'all' };
  const client = values['client_id'];
  return aggregate === erasures.aggregate && typeof client === 'string' ? { therapistId, client } : undefined;
}
