import { describe, it } from '@jest/globals';
import { clients, clientStatuses, type Client } from '@practice/contracts';
import type { Acts, Changes, Command, EventOf } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import { client } from './client.js';

type Clients = typeof clients;

const given = specOf(client);

const ada = recordsOf(clients, { name: 'Ada Example', email: 'ada@example.com', total_visits: 3 });

const registered = (but: Partial<Client> = {}): EventOf<Clients> => ({
  type: 'ClientRegistered',
  data: ada(but),
});
const deleted = (): EventOf<Clients> => ({ type: 'ClientDeleted', data: {} });
const change = (changes: Changes<Clients>): Command<Clients> => ({ kind: 'change', changes });
const act = (name: Acts<Clients>): Command<Clients> => ({ kind: 'act', act: name });

describe('a client', () => {
  it('can be registered with an initial number of visits', () => {
    const record = ada({ total_visits: 41 });
    given()
      .when({ kind: 'create', record })
      .then(registered({ total_visits: 41 }));
  });

  it('is renamed', () => {
    given(registered())
      .when(change({ name: 'Ada New' }))
      .then({ type: 'ClientRenamed', data: { name: 'Ada New' } });
  });

  it('gets new contact details in one event', () => {
    given(registered())
      .when(change({ email: null, phone: '555' }))
      .then({ type: 'ClientContactChanged', data: { email: null, phone: '555' } });
  });

  it.each(clientStatuses)('can change from %s to every other status', (from) => {
    for (const to of clientStatuses.filter((status) => status !== from)) {
      given(registered({ status: from }))
        .when(change({ status: to }))
        .then({ type: 'ClientStatusChanged', data: { status: to } });
    }
  });

  it('can have its number of visits corrected', () => {
    given(registered())
      .when(change({ total_visits: 0 }))
      .then({ type: 'ClientVisitsCorrected', data: { total_visits: 0 } });
  });

  it('gets one event for each kind of change', () => {
    given(registered())
      .when(change({ name: 'B', phone: '1', status: 'archived', total_visits: 9 }))
      .then(
        { type: 'ClientRenamed', data: { name: 'B' } },
        { type: 'ClientContactChanged', data: { phone: '1' } },
        { type: 'ClientStatusChanged', data: { status: 'archived' } },
        { type: 'ClientVisitsCorrected', data: { total_visits: 9 } },
      );
  });

  it('is deleted by an event without data', () => {
    given(registered()).when({ kind: 'delete' }).then(deleted());
  });
});

describe('visits', () => {
  it('are counted one by one', () => {
    given(registered())
      .when(act('countVisit'))
      .then({ type: 'ClientVisitCounted', data: { total_visits: 4 } });
    given(registered())
      .when(act('uncountVisit'))
      .then({ type: 'ClientVisitUncounted', data: { total_visits: 2 } });
  });

  it('never become negative, even after a correction', () => {
    given(registered(), { type: 'ClientVisitsCorrected', data: { total_visits: 0 } })
      .when(act('uncountVisit'))
      .thenNothing();
  });

  it('stop at the largest integer: no number that a caller sets can block later events', () => {
    given(registered({ total_visits: 2_147_483_647 }))
      .when(act('countVisit'))
      .thenNothing();
  });

  it('of a deleted client are not counted', () => {
    given(registered(), deleted()).when(act('countVisit')).thenNothing();
  });
});
