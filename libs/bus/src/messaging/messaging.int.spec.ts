import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { headers, RequestError } from '@nats-io/transport-node';
import { eventually } from '@practice/testing';
import { FRAME_VERSION, FrameVersionError } from './frame.js';
import { createRequester } from './requester.js';
import { createSigner } from './statement.js';
import { asking, closeAll, connected, envelope, failures, keys, letGo } from './testing/echo-service.js';
import { refusals, released, serve, until, waiting } from './testing/echo-service.js';

const unavailable = expect.objectContaining({ status: 503, code: 'PM503', headers: { 'Retry-After': '1' } });

afterEach(closeAll);

describe('requests over NATS', () => {
  it('carries envelopes and bytes unchanged in both directions', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const bytes = Buffer.from([0, 255, 195, 40, 10, 13]);
    const reply = await requester.request(service, envelope('echo', 'r-7'), bytes);
    expect(reply).toEqual({ status: 201, headers: { 'x-request-id': 'r-7' }, body: bytes });
    expect((await requester.request(service, envelope('echo'), 'Łódź')).body.toString()).toBe('Łódź');
  });

  it('matches each of many concurrent requests with its own reply', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const bodies = Array.from({ length: 1_500 }, (_, index) => `body ${index}`);
    const replies = await Promise.all(
      bodies.map((body) => requester.request(service, envelope('echo', body), body)),
    );
    expect(replies.map(({ body }) => body.toString())).toEqual(bodies);
    expect(replies.map(({ headers }) => headers['x-request-id'])).toEqual(bodies);
    expect(requester.inFlight()).toBe(0);
  });

  it('shares the requests among the processes of a service', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    await serve(service);
    const requester = await asking();
    const seen = new Set<string>();
    for (const deadline = Date.now() + 5_000; seen.size < 2 && Date.now() < deadline;) {
      seen.add((await requester.request(service, envelope('pid'), '')).body.toString());
    }
    expect(seen.size).toBe(2);
  });

  it('reports that the caller of a request has disconnected to the process with that request, and for no other request', async () => {
    const service = `spec-${randomUUID()}`;
    for (const _ of [1, 2]) await serve(service);
    const [requester, another] = [await asking(), await asking()];
    const [leaving, staying] = [{}, {}];
    const wait = (by: typeof requester, partOf: object, id: string): Promise<string> =>
      by.request(service, { ...envelope('wait', id), partOf }, '').then(({ body }) => body.toString());
    const names = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];
    const [left, leftToo] = [wait(requester, leaving, names[0]), wait(requester, leaving, names[1])];
    const [stayed, elsewhere] = [wait(requester, staying, names[2]), wait(another, staying, names[3])];
    await until(() => names.every((name) => waiting.has(name)));
    requester.giveUp(leaving);
    expect(await Promise.all([left, leftToo])).toEqual(['gone', 'gone']);
    for (const name of names) released.add(name);
    expect(await Promise.all([stayed, elsewhere])).toEqual(['released', 'released']);
  });

  it('carries replies of 20 MB next to small ones', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const characters = 10 * 1024 * 1024;
    const [big, small, empty] = await Promise.all([
      requester.request(service, envelope('big'), String(characters)),
      requester.request(service, envelope('big'), '3'),
      requester.request(service, envelope('big'), '0'),
    ]);
    expect(big.body.length).toBe(2 * characters);
    expect(big.body.equals(Buffer.from('é'.repeat(characters)))).toBe(true);
    expect(small.body.toString()).toBe('ééé');
    expect(empty.body.length).toBe(0);
  });

  it('sends requests of one tick in several frames if needed', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const bodies = Array.from({ length: 12 }, (_, index) => Buffer.alloc(1024 * 1024, index));
    const replies = await Promise.all(
      bodies.map((body) => requester.request(service, envelope('echo'), body)),
    );
    expect(replies.every(({ body }, index) => body.equals(bodies[index] as Buffer))).toBe(true);
  });

  it('supports handlers that return observables', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const reply = await (await asking()).request(service, envelope('stream'), '');
    expect(reply.body.toString()).toBe('from an observable');
  });
});

describe('requests that fail', () => {
  it('do not affect requests to another service', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const away = requester.request(`spec-${randomUUID()}`, envelope('echo'), '');
    const there = requester.request(service, envelope('echo'), 'here');
    await expect(away).rejects.toMatchObject({ problem: unavailable });
    expect((await there).body.toString()).toBe('here');
  });

  it('get PM503 if no reply arrives in time, and a late reply is ignored', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking({ timeoutMs: 100 });
    await expect(requester.request(service, envelope('held'), '')).rejects.toMatchObject({
      problem: unavailable,
    });
    letGo();
    const later = createRequester({
      connection: await connected(),
      user: 'gateway',
      stateIdentity: createSigner(keys.privateKey),
      timeoutMs: 60_000,
    });
    expect((await later.request(service, envelope('echo'), 'still well')).body.toString()).toBe('still well');
    later.close();
  });

  it('get PM503 in time after the requester was idle', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking({ timeoutMs: ({ op }) => (op === 'held' ? 100 : 10_000) });
    await requester.request(service, envelope('echo'), '');
    // Longer than several intervals of the sweep, which stops when no request is in flight.
    await pause(200);
    await expect(requester.request(service, envelope('held'), '')).rejects.toMatchObject({
      problem: unavailable,
    });
    letGo();
  });

  it('are rejected before any work if too many are waiting', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service, 1);
    const requester = await asking({ maxInFlight: 2 });
    const held = requester.request(service, envelope('held'), '');
    await expect(requester.request(service, envelope('echo'), '')).resolves.toMatchObject({ status: 503 });
    const second = requester.request(service, envelope('echo'), '');
    await expect(requester.request(service, envelope('echo'), '')).rejects.toMatchObject({
      problem: unavailable,
    });
    await second;
    letGo();
    expect((await held).body.toString()).toBe('finished');
  });

  it('return the problem of a rejection, but only the request id of an unexpected error', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    const refused = await requester.request(service, envelope('refuse'), '');
    expect(refused).toMatchObject({ status: 409, headers: { 'X-Why': 'twice' } });
    expect(JSON.parse(refused.body.toString())).toEqual({
      code: 'PM002',
      message: 'Taken',
      details: null,
      hint: null,
    });
    expect(failures).toEqual([]);

    const broken = await requester.request(service, envelope('break', 'r-500'), '');
    expect(broken.status).toBe(500);
    expect(broken.body.toString()).toContain('r-500');
    expect(broken.body.toString()).not.toContain('secret');
    expect(failures).toMatchObject([{ message: 'secret detail' }]);
    expect((await requester.request(service, envelope('unheard of'), '')).status).toBe(500);
  });

  it('are dropped once their deadline has passed, and this is reported now and then', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const requester = await asking();
    for (let count = 0; count < 3; count += 1) {
      const expired = requester.request(service, { ...envelope('break'), deadline: Date.now() - 1 }, '');
      await expect(expired).rejects.toMatchObject({ problem: unavailable });
    }
    await requester.request(service, envelope('echo'), '');
    expect(failures).toEqual([]);
    expect(refusals).toEqual([expect.stringContaining('deadline')]);
  });

  it('are refused by the service if their frame version is unknown', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const { nats } = await connected('admin');
    const reply = `practice.reply.admin.${service}.secret.7`;
    const replies = nats.subscribe(reply, { max: 1 });
    const frame = Buffer.from([FRAME_VERSION + 1, 1, 2, 3]);
    nats.publish(`practice.rpc.${service}.admin.call`, frame, { reply });
    for await (const { data, headers } of replies) expect([data.length, headers?.code]).toEqual([0, 505]);
    expect(failures).toEqual([expect.any(FrameVersionError)]);
  });

  it('get PM503 if the service does not understand the frame version', async () => {
    const service = `spec-${randomUUID()}`;
    const { nats } = await connected('admin');
    nats.subscribe(`practice.rpc.${service}.*.*`, {
      callback: (_error, message) =>
        void message.respond(undefined, { headers: headers(505, 'unknown frame version') }),
    });
    await nats.flush();
    await expect((await asking()).request(service, envelope('echo'), '')).rejects.toMatchObject({
      problem: {
        status: 503,
        code: 'PM503',
        message: `The ${service} service does not understand frame version ${FRAME_VERSION}`,
      },
    });
  });

  it('get 413 if they do not fit into a NATS message', async () => {
    const connection = await connected();
    const body = Buffer.alloc(connection.maxPayload);
    await expect((await asking()).request('any', envelope('echo'), body)).rejects.toMatchObject({
      problem: { status: 413, code: 'PM413' },
    });
  });

  it('are reported if the bytes are not a frame, and the service goes on', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const { nats } = await connected('admin');
    const garbage = Buffer.from('garbage');
    const subject = `practice.rpc.${service}.admin.call`;
    nats.publish(subject, garbage, { reply: `practice.reply.admin.${service}.secret.0` });
    nats.publish(subject, garbage);
    nats.publish(subject, garbage, { reply: `practice.reply.gateway.${service}.secret.0` });
    await until(() => failures.length === 1 && refusals.length === 2);
    expect([failures.length, refusals]).toEqual([
      1,
      Array(2).fill('the reply subject of a request by admin is not its own'),
    ]);
    expect((await (await asking()).request(service, envelope('echo'), 'well')).body.toString()).toBe('well');
  });
});

describe('a service that closes', () => {
  it('finishes the requests in progress, sends their replies and accepts no new ones', async () => {
    const service = `spec-${randomUUID()}`;
    const app = await serve(service);
    const requester = await asking();
    const held = requester.request(service, envelope('held'), '');
    await requester.request(service, envelope('echo'), '');
    const closing = app.close();
    await until(() => requester.inFlight() === 1);
    // A requester holds requests of an absent service for longer than the held request may take.
    const { nats } = await connected('admin');
    await eventually('the service no longer listens', () =>
      nats.request(`practice.rpc.${service}.admin.call`, '', { timeout: 500 }).then(
        () => false,
        (error: unknown) => error instanceof RequestError && error.isNoResponders(),
      ),
    );
    letGo();
    expect((await held).body.toString()).toBe('finished');
    await closing;
    await expect(requester.request(service, envelope('echo'), '')).rejects.toMatchObject({
      problem: unavailable,
    });
  });
});

describe('a lost connection', () => {
  it('fails waiting and new requests, and works again once it is restored', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const connection = await connected();
    const requester = createRequester({
      connection,
      user: 'gateway',
      stateIdentity: createSigner(keys.privateKey),
      timeoutMs: 60_000,
    });
    const held = requester.request(service, envelope('held'), '');
    await requester.request(service, envelope('echo'), '');
    await connection.nats.reconnect();
    await expect(held).rejects.toMatchObject({ problem: unavailable });
    await until(() => connection.isUp());
    expect((await requester.request(service, envelope('echo'), 'back')).body.toString()).toBe('back');
    requester.close();
  });
});
