// A malformed request is rejected in the gateway: no NATS message is sent for it.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Connection } from '@practice/bus';
import { eventually, newPractice, stack, type Answer, type Call, type Practice } from '@practice/testing';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
/** Every request to a service since the spec began, including requests of specs that run at the same time. */
const messages: string[] = [];
let connection: Connection;
let practice: Practice;

beforeAll(async () => {
  connection = await connect({ url: stack().natsUrl('admin'), name: 'malformed spec', logger: quiet });
  connection.nats.subscribe('practice.rpc.>', {
    callback: (_error, { data }) => void messages.push(Buffer.from(data).toString('latin1')),
  });
  await connection.nats.flush();
  practice = await newPractice();
});
afterAll(() => connection.close());

/** The response, and how many messages the gateway sent for the request. */
async function counted(path: string, { headers, ...given }: Call): Promise<[Answer, number]> {
  const [id, last] = [randomUUID(), randomUUID()];
  const answer = await practice.rest(path, { ...given, headers: { ...headers, 'x-request-id': id } });
  // Messages arrive in order. Once a later message has arrived, all messages of this request have arrived.
  await practice.rest('clients?limit=0', { headers: { 'x-request-id': last } });
  await eventually('the later message arrives', () => messages.some((message) => message.includes(last)));
  return [answer, messages.filter((message) => message.includes(id)).length];
}

const post = (body: unknown, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  body,
  headers,
});

describe('a malformed request', () => {
  it.each<[string, string, Call, number, string]>([
    ['a filter', 'clients?name=like', {}, 400, 'PGRST100'],
    ['a logic tree', 'clients?or=(name.eq.x', {}, 400, 'PGRST100'],
    ['a select', 'clients?select=name,', {}, 400, 'PGRST100'],
    ['an order', 'clients?order=name.up', {}, 400, 'PGRST100'],
    ['a percent-encoding', 'clients?name=eq.%ff', {}, 400, '22021'],
    ['too many elements', `clients?id=in.(${'1,'.repeat(5000)}1)`, {}, 400, 'PM400'],
    ['a Range header', 'clients', { headers: { range: '5-2' } }, 416, 'PGRST103'],
    ['a negative limit', 'clients?limit=-1', {}, 416, 'PGRST103'],
    ['a schema', 'clients', { headers: { 'accept-profile': 'private' } }, 406, 'PGRST106'],
    ['a JSON body', 'clients', post('{"name":'), 400, 'PGRST102'],
    ['rows with different keys', 'clients', post([{ name: 'a' }, { phone: 'b' }]), 400, 'PGRST102'],
    ['a content type', 'clients', post('x', { 'content-type': 'text/html' }), 400, 'PGRST102'],
    ['too many rows', 'clients', post(Array(1001).fill({ name: 'a' })), 413, 'PM413'],
    ['a limit on PUT', 'clients?limit=1', { method: 'PUT', body: {} }, 400, 'PGRST114'],
    ['an idempotency key', 'clients', post({ name: 'a' }, { 'idempotency-key': '' }), 400, 'PM400'],
    ['an unknown resource', 'client', {}, 404, 'PGRST205'],
    ['an unknown path', 'clients/1', {}, 404, 'PGRST125'],
    ['a function', 'rpc/book', post({}), 404, 'PGRST202'],
    ['an unknown relation', 'clients?select=name,nothing(id)', {}, 400, 'PGRST200'],
  ])('is rejected without a message: %s', async (_what, path, given, status, code) => {
    const [answer, sent] = await counted(path, given);
    expect([answer.status, answer.json, sent]).toMatchObject([status, { code }, 0]);
  });
});

describe('a well-formed request', () => {
  it('sends one message for the resource, and one for each related service', async () => {
    expect((await counted('clients?select=name', {}))[1]).toBe(1);
    const [answer, sent] = await counted('clients', {
      ...post({ name: 'Ann' }, { prefer: 'return=representation' }),
    });
    expect([answer.status, sent]).toEqual([201, 1]);
    expect((await counted('clients?select=name,appointments(date)', {}))[1]).toBe(2);
  });

  it('reports malformed parts before unknown names', async () => {
    const [answer] = await counted('nothing?select=(', {});
    expect(answer.json).toMatchObject({ code: 'PGRST100' });
  });
});
