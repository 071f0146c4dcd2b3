import { describe, expect, it } from '@jest/globals';
import { catalog } from '../catalog.js';
import { newestEntries, timelineParts, timelineTitle } from './timeline-parts.js';

/** Resources whose events are parts of other events, or only for owners. The client of a grant is an app. */
const LEFT_OUT = ['client_balances', 'erasures', 'invoice_items', 'oauth_grants', 'payment_allocations'];

describe('the parts of a timeline', () => {
  it('are all resources about a client, except the listed ones', () => {
    const ofClients = [...catalog.resources.values()]
      .filter(({ name, columns }) => name === 'clients' || columns['client_id'] !== undefined)
      .map(({ name }) => name);
    const listed = timelineParts.map(({ resource }) => resource.name);
    expect([...listed, ...LEFT_OUT].sort()).toEqual(ofClients.sort());
  });

  it('have titles with columns that are neither personal nor confidential', () => {
    for (const { resource, details = {} } of timelineParts)
      for (const name of Object.values(details).flat()) {
        const column = resource.columns[name];
        expect([resource.name, name, column?.personal, column?.confidential ?? false]).toEqual([
          ...[resource.name, name, undefined, false],
        ]);
      }
  });

  it('name events that the resource has', () => {
    for (const { resource, details = {}, omitted = [], omittedOfPolicies = [] } of timelineParts)
      for (const event of [...Object.keys(details), ...omitted, ...omittedOfPolicies])
        expect(['*', ...Object.keys(resource.events)]).toContain(event);
  });
});

describe('a title', () => {
  it('is the type of the event as a sentence, followed by values', () => {
    expect(timelineTitle('AppointmentMarkedNoShow', [])).toBe('Appointment marked no show');
    expect(timelineTitle('InvoicePaid', ['12', '120.00'])).toBe('Invoice paid: 12, 120.00');
  });
});

describe('the newest entries', () => {
  const rows = ['3', '1', '2', '2', '2'].map((second, index) => ({
    at: `2026-01-01T00:00:0${second}+00:00`,
    index,
  }));
  const indexes = (limit: number): unknown[] => newestEntries(rows, limit).map(({ index }) => index);

  it('are sorted from new to old, and entries of one instant are never divided', () => {
    expect(indexes(1)).toEqual([0]);
    expect(indexes(2)).toEqual([0, 2, 3, 4]);
    expect(indexes(4)).toEqual([0, 2, 3, 4]);
    expect(indexes(5)).toEqual([0, 2, 3, 4, 1]);
    expect(indexes(6)).toEqual([0, 2, 3, 4, 1]);
  });

  it('have an instant with a fraction of a second before the whole second', () => {
    const instants = [
      '2026-01-01T00:00:01+00:00',
      '2026-01-01T00:00:01.5+00:00',
      '2026-01-01T00:00:01.49+00:00',
    ];
    expect(
      newestEntries(
        instants.map((at) => ({ at })),
        9,
      ).map(({ at }) => at),
    ).toEqual([...[instants[1], instants[2], instants[0]]]);
  });
});
