// The identity that is sent with a call, and the subjects on which replies arrive.

import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { headers } from '@nats-io/transport-node';
import { encodeFrame, entrySize, wholeEntry } from './frame.js';
import { createRequester, type Requester } from './requester.js';
import type { OnBehalf } from '@practice/core';
import { createSigner, createVerifier } from './statement.js';
import { requesterOf } from './subjects.js';
import {
  asking,
  closeAll,
  connected,
  envelope,
  failures,
  identity,
  keyPair,
} from './testing/echo-service.js';
import { keys, letGo, open, refusals, serve } from './testing/echo-service.js';

afterEach(closeAll);

describe('the identity of a caller', () => {
  const signer = createSigner(keys.privateKey);
  const whoami = (requester: Requester, service: string, more: object = {}) =>
    requester.request(service, { ...envelope('whoami'), ...more }, '');

  it('reaches the handler with the address of the request and no other field of the envelope', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const forged = { address: '192.0.2.7', therapistId: 'practice-2', scopes: ['clients:read'] };
    const { status, body } = await whoami(requester, service, forged);
    expect([status, JSON.parse(body.toString())]).toEqual([200, { ...identity, address: '192.0.2.7' }]);
  });

  it.each<[string, (service: string) => string | undefined]>([
    ['is missing', () => undefined],
    ['is empty', () => ''],
    ['is not text', () => 7 as never],
    ['is not a statement', () => 'a.b'],
    ['is signed with another key', (service) => createSigner(keyPair().privateKey)(identity, service)],
    ['is for another service', () => signer(identity, 'spec-other')],
    [
      'has expired',
      (service) => createSigner(keys.privateKey, () => Date.now() - 151_000)(identity, service),
    ],
    [
      'was altered',
      (service) => {
        const [payload = '', signature = ''] = signer(identity, service).split('.');
        const changed = Buffer.from(payload, 'base64url').toString().replace('practice-1', 'practice-2');
        return `${Buffer.from(changed).toString('base64url')}.${signature}`;
      },
    ],
    ['has two signatures', (service) => `${signer(identity, service)}.x`],
    ['has no signature', (service) => `${signer(identity, service).split('.')[0]}.`],
  ])('is refused if its statement %s', async (_how, statementFor) => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking({ stateIdentity: (_identity, to) => statementFor(to) as string });
    const { status, body } = await whoami(requester, service);
    expect([status, JSON.parse(body.toString())]).toEqual([
      401,
      { code: 'PM401', message: 'The request has no valid statement of identity', details: null, hint: null },
    ]);
    expect([failures, refusals]).toEqual([[], ['a call without a valid statement of identity']]);
  });

  it('is optional for an open call, but is refused if it is invalid', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const open = { op: 'open', requestId: 'r' };
    const requester = await asking();
    const nobody = await requester.request<Partial<OnBehalf>>(
      service,
      { ...open, identity: null as never },
      '',
    );
    const someone = await requester.request<OnBehalf>(service, { ...open, identity }, '');
    expect([nobody, someone].map(({ body }) => body.toString())).toEqual(['nobody', 'user-1']);
    const liar = await asking({ stateIdentity: () => 'a.b' });
    expect((await liar.request<OnBehalf>(service, { ...open, identity }, '')).status).toBe(401);
  });

  it('gives gateways no access to the handlers of services, and services no access to the handlers of calls', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    expect((await requester.request(service, envelope('between'), '')).status).toBe(500);
    const admin = await connected('admin');
    const inside = createRequester({ connection: admin, user: 'admin', timeoutMs: 60_000 });
    open.push(async () => inside.close());
    const between = { op: 'between', requestId: 'r', therapistId: 'practice-9' };
    expect((await inside.request(service, between, '')).body.toString()).toBe('practice-9');
    expect((await inside.request(service, { ...between, op: 'whoami' }, '')).status).toBe(500);
    await expect(async () => inside.request(service, envelope('whoami'), '')).rejects.toThrow(
      'only a gateway',
    );
  });

  it('is accepted with the previous key while both keys are listed', async () => {
    const next = keyPair();
    const read = createVerifier([next.publicKey, keys.publicKey], 'scheduling');
    const texts = [keys, next].map(({ privateKey }) => createSigner(privateKey)(identity, 'scheduling'));
    expect(texts.map(read)).toEqual([identity, identity]);
    expect(texts.map(createVerifier([next.publicKey], 'scheduling'))).toEqual([undefined, identity]);
  });

  it('is signed once a minute for each service, and expires after two minutes plus the tolerated clock skew', () => {
    let now = Date.now();
    const state = createSigner(keys.privateKey, () => now);
    const read = createVerifier([keys.publicKey], 'scheduling', () => now);
    const first = state(identity, 'scheduling');
    now += 59_000;
    expect([state(identity, 'scheduling'), read(first)]).toEqual([first, identity]);
    now += 2_000;
    expect(state(identity, 'scheduling')).not.toBe(first);
    expect(state({ ...identity }, 'clients')).not.toBe(state(identity, 'scheduling'));
    now += 88_000;
    expect(read(first)).toEqual(identity);
    now += 2_000;
    expect(read(first)).toBeUndefined();
  });
});

describe('a reply', () => {
  it('is accepted only on the connection of the service that was asked', async () => {
    const [service, other] = [`spec-${randomUUID()}`, `spec-${randomUUID()}`];
    await serve(service);
    const requester = await asking();
    const { nats } = await connected('admin');
    const lines: string[] = [];
    nats.subscribe(`practice.rpc.${other}.*.*`, {
      callback: (_error, { reply = '' }) => {
        const line = requesterOf(reply);
        lines.push(line);
        const entries = Array.from({ length: 16 }, (_, id) =>
          wholeEntry(id, '{"status":200,"headers":{}}', 'forged'),
        );
        const size = entries.reduce((sum, entry) => sum + entrySize(entry), 0);
        nats.publish(`${line}.r`, encodeFrame(entries, size));
        for (let frame = 0; frame < 16; frame++)
          nats.publish(`${line}.${frame}`, '', { headers: headers(503, 'no responders') });
      },
    });
    await nats.flush();
    const held = requester.request(service, envelope('held'), '');
    await expect(requester.request(other, envelope('echo'), 'to the liar')).resolves.toMatchObject({
      status: 200,
    });
    letGo();
    expect((await held).body.toString()).toBe('finished');
    expect(lines[0]).toMatch(new RegExp(`^practice\\.reply\\.gateway\\.${other}\\.[\\da-f-]{36}$`));
  });
});
