// The cost of composition: the number of requests to services does not depend on the number of rows.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type Connection } from '@practice/bus';
import { make, makeAll, newPractice, slot, stack, type Practice } from '@practice/testing';
import { pino } from 'pino';

let practice: Practice;
let bus: Connection;
const seen: string[] = [];

beforeAll(async () => {
  practice = await newPractice();
  bus = await connect({ url: stack().natsUrl('admin'), name: 'spec', logger: pino({ level: 'silent' }) });
  bus.nats.subscribe('practice.rpc.*.gateway.call', {
    callback: (_error, message) => {
      const service = message.subject.split('.')[2] ?? '';
      for (const envelope of message.string().split('{"op":"').slice(1)) {
        const [, statement = ''] = /"statement":"([\w-]+)\./.exec(envelope) ?? [];
        if (Buffer.from(statement, 'base64url').toString().includes(practice.therapistId))
          seen.push(`${service} ${/^\w+/.exec(envelope)?.[0]}`);
      }
    },
  });
  await bus.nats.flush();
  const clients = Array.from({ length: 60 }, (_, index) => ({ name: `client ${index % 7}` }));
  const ids = (await makeAll(practice, 'clients', clients)).map(({ id }) => id);
  const visits = Array.from({ length: 240 }, (_, index) => ({
    ...slot(index),
    status: 'completed',
    client_id: ids[index % 60],
  }));
  await makeAll(practice, 'appointments', visits);
  await make(practice, 'sessions', { client_id: ids[0] });
});
afterAll(() => bus.close());

/** The requests that services get for one request of a caller. */
async function asked(path: string, call = {}): Promise<string[]> {
  // Once a message of this spec has made a round trip, all earlier messages have arrived.
  await bus.nats.flush();
  seen.length = 0;
  const answer = await practice.rest(path, call);
  expect(answer.status).toBeLessThan(300);
  await bus.nats.flush();
  return seen.toSorted();
}

it.each([
  ['appointments?select=date', ['scheduling query']],
  [
    'appointments?select=date,service_menu(name)&id=in.(018f0000-0000-7000-8000-00000000000b)',
    ['scheduling query'],
  ],
  ['clients?select=name,conversation_log(content,clients(name))', ['clients query']],
  ['appointments?select=date,clients(name)', ['clients subquery', 'scheduling query']],
  ['appointments?select=date,clients()', ['scheduling query']],
  ['clients?select=name,appointments(date,service_menu(name))', ['clients query', 'scheduling subquery']],
  ['appointments?select=date,clients()&clients=not.is.null', ['clients subquery', 'scheduling query']],
  [
    'appointments?select=date,clients()&order=clients(name),clients(status)',
    ['clients subquery', 'scheduling query'],
  ],
  [
    'appointments?select=date,clients!inner(name)&order=clients(name)&or=(clients.is.null,clients.not.is.null)',
    ['clients subquery', 'clients subquery', 'scheduling query'],
  ],
  [
    'clients?select=name,appointments(date,clients(name,appointments(date))),sessions(plan)',
    [
      'clients query',
      'clients subquery',
      'clinical-notes subquery',
      'scheduling subquery',
      'scheduling subquery',
    ],
  ],
])('%s asks %j', async (path, requests) => {
  expect(await asked(path)).toEqual(requests);
});

it('a write first checks that its response can be read', async () => {
  const call = { method: 'PATCH', body: { notes: 'x' }, headers: { prefer: 'return=representation' } };
  const path = 'appointments?date=eq.2001-01-01&select=date,clients(name)';
  expect(await asked(path, call)).toEqual(['clients subquery', 'clients subquery', 'scheduling command']);
  expect(await asked(path, { ...call, headers: {} })).toEqual(['scheduling command']);
});
