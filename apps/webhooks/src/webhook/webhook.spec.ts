import { describe, it } from '@jest/globals';
import { webhooks } from '@practice/contracts';
import type { Changes, EventOf } from '@practice/resource';
import { NOW, recordsOf, specOf } from '@practice/testing';
import { failing, rotating, webhookRules } from './webhook.js';

type Webhooks = typeof webhooks;

const recordOf = recordsOf(webhooks, { url: 'https://example.com/hook' });
const created = (more: Parameters<typeof recordOf>[0] = {}): EventOf<Webhooks> => ({
  type: 'WebhookCreated',
  data: recordOf(more),
});
const paused: EventOf<Webhooks> = { type: 'WebhookPaused', data: { status: 'paused' } };
const activated: EventOf<Webhooks> = { type: 'WebhookActivated', data: { status: 'active' } };
const failed: EventOf<Webhooks> = { type: 'WebhookFailing', data: { status: 'failing' } };
const create = (more: Parameters<typeof recordOf>[0] = {}) =>
  ({ kind: 'create', record: recordOf(more) }) as const;
const change = (changes: Changes<Webhooks>) => ({ kind: 'change', changes }) as const;

describe('a webhook', () => {
  const given = specOf(webhookRules({ allowsLoopback: false, forbidden: [] }));

  it('is created, changed, paused, activated and deleted', () => {
    given().when(create()).then(created());
    given(created())
      .when(change({ url: 'https://example.com/new', event_types: ['ClientRegistered'] }))
      .then({
        type: 'WebhookDetailsChanged',
        data: { url: 'https://example.com/new', event_types: ['ClientRegistered'] },
      });
    given(created())
      .when(change({ status: 'paused' }))
      .then(paused);
    given(created(), paused)
      .when(change({ status: 'active' }))
      .then(activated);
    given(created(), failed)
      .when(change({ status: 'active' }))
      .then(activated);
    given(created()).when({ kind: 'delete' }).then({ type: 'WebhookDeleted', data: {} });
  });

  it('needs a URL on a public address', () => {
    const url = 'https://10.0.0.1/';
    given().when(create({ url })).thenRejects('PM010', 'its address is not public');
    given(created()).when(change({ url })).thenRejects('PM010');
    given()
      .when(create({ url: 'http://example.com/' }))
      .thenRejects('PM010', 'https');
  });

  it('may be limited to known types of events, at least one', () => {
    given()
      .when(create({ event_types: ['ClientRegistered'] }))
      .then(created({ event_types: ['ClientRegistered'] }));
    given()
      .when(create({ event_types: ['Unknown'] }))
      .thenRejects('22023', 'Unknown');
    given(created())
      .when(change({ event_types: [] }))
      .thenRejects('22023');
  });

  it('cannot be set to failing by a caller', () => {
    given()
      .when(create({ status: 'failing' }))
      .thenRejects('PM001');
    given(created())
      .when(change({ status: 'failing' }))
      .thenRejects('PM001');
  });

  it('is one of at most ten', () => {
    const others = (count: number) => Array.from({ length: count }, () => ({ status: 'active' as const }));
    given()
      .among(webhooks, ...others(9))
      .when(create())
      .then(created());
    given()
      .among(webhooks, ...others(10))
      .when(create())
      .thenRejects('PM012');
  });
});

describe('a webhook whose deliveries fail', () => {
  const given = specOf(failing);
  const fail = change({ status: 'failing' });

  it('is failing', () => {
    given(created()).when(fail).then(failed);
  });

  it('does not change if it was paused in the meantime', () => {
    given(created(), paused).when(fail).thenNothing();
  });
});

describe('a rotated secret', () => {
  it('is noted, without the secret', () => {
    specOf(rotating)(created())
      .when(change({ secret_rotated_at: NOW }))
      .then({ type: 'WebhookSecretRotated', data: { secret_rotated_at: NOW } });
  });
});
