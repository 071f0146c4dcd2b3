import { describe, it } from '@jest/globals';
import { clients } from '@practice/contracts';
import type { Client } from '@practice/contracts';
import { NOW, storiesOf } from '@practice/testing';
import { client } from './client.js';

const given = storiesOf(clients, client);

const ada = (but: Partial<Client> = {}): Client => ({
  id: '018f0000-0000-7000-8000-000000000010',
  therapist_id: '018f0000-0000-7000-8000-000000000001',
  name: 'Ada Example',
  email: 'ada@example.com',
  phone: null,
  status: 'active',
  total_visits: 3,
  created_at: NOW,
  updated_at: NOW,
  ...but,
});

const change = (changes: Partial<Client>) => ({ kind: 'change', changes }) as const;
const act = (name: string) => ({ kind: 'act', act: name }) as const;

describe('a client', () => {
  it('is registered as given, an opening balance of visits included', () => {
    const record = ada({ total_visits: 41 });
    given(null).when({ kind: 'create', record }).then({ type: 'ClientRegistered', data: record });
  });

  it('is renamed', () => {
    given(ada())
      .when(change({ name: 'Ada New' }))
      .then({ type: 'ClientRenamed', data: { name: 'Ada New' } });
  });

  it('has other contact, both ways of it in one fact', () => {
    given(ada())
      .when(change({ email: null, phone: '555' }))
      .then({ type: 'ClientContactChanged', data: { email: null, phone: '555' } });
  });

  it.each(['active', 'inactive', 'archived'] as const)('goes from %s to every other status', (from) => {
    for (const to of (['active', 'inactive', 'archived'] as const).filter((status) => status !== from)) {
      given(ada({ status: from }))
        .when(change({ status: to }))
        .then({ type: 'ClientStatusChanged', data: { status: to } });
    }
  });

  it('has its visits corrected by hand', () => {
    given(ada())
      .when(change({ total_visits: 0 }))
      .then({ type: 'ClientVisitsCorrected', data: { total_visits: 0 } });
  });

  it('tells apart what one change changes', () => {
    given(ada())
      .when(change({ name: 'B', phone: '1', status: 'archived', total_visits: 9 }))
      .then(
        { type: 'ClientRenamed', data: { name: 'B' } },
        { type: 'ClientContactChanged', data: { phone: '1' } },
        { type: 'ClientStatusChanged', data: { status: 'archived' } },
        { type: 'ClientVisitsCorrected', data: { total_visits: 9 } },
      );
  });

  it('is deleted, which leaves nothing to say', () => {
    given(ada()).when({ kind: 'delete' }).then({ type: 'ClientDeleted', data: {} });
  });
});

describe('visits', () => {
  it('are counted one by one', () => {
    given(ada())
      .when(act('countVisit'))
      .then({ type: 'ClientVisitCounted', data: { total_visits: 4 } });
    given(ada())
      .when(act('uncountVisit'))
      .then({ type: 'ClientVisitUncounted', data: { total_visits: 2 } });
  });

  it('never get negative, even when a correction came before what is undone', () => {
    given(ada({ total_visits: 0 }))
      .when(act('uncountVisit'))
      .thenNothing();
  });

  it('stop where the column ends: no number that a caller sets can hold up the events behind it', () => {
    given(ada({ total_visits: 2_147_483_647 }))
      .when(act('countVisit'))
      .thenNothing();
  });

  it('of a client that is gone are nobody’s', () => {
    given(null).when(act('countVisit')).thenNothing();
  });
});
