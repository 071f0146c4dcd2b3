import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { Admitted } from '../http/request.js';
import { InnerCalls } from './inner-calls.js';

const identity = { therapistId: 'p', userId: 'u', practiceRole: 'owner' };
const connection = Object.assign(new EventEmitter(), { destroyed: false });
const outer = {
  ...{ identity, reader: null, timings: null, reply: { raw: connection } },
  request: { id: 'r', ip: '192.0.2.1', raw: { url: '/mcp' } },
} as unknown as Admitted;

const callsWith = (take: (kind: string) => void): InnerCalls =>
  new InnerCalls(outer, {
    queues: { enter: () => undefined, leave: () => undefined },
    router: { route: async () => ({ status: 200, headers: {}, body: Buffer.from('[]') }) },
    limits: { take: async (kind: string) => take(kind) },
  } as unknown as ConstructorParameters<typeof InnerCalls>[1]);

it('count as writes only if they write', async () => {
  const counted: string[] = [];
  const calls = callsWith((kind) => counted.push(kind));
  await calls.read('clients?limit=1');
  await calls.send({ method: 'POST', path: 'rpc/free_slots', body: { duration: 50 }, isOfTool: true });
  expect(counted).toEqual([]);
  await calls.send({ method: 'POST', path: 'clients', body: { name: 'Ada' } });
  await calls.send({ method: 'POST', path: 'rpc/undo', body: { change_id: 'clients:1' }, isOfTool: true });
  expect(counted).toEqual(['writes', 'writes']);
});

it('may be many at a time without a warning of Node', async () => {
  const calls = callsWith(() => undefined);
  await Promise.all(Array.from({ length: 12 }, () => calls.read('clients?limit=1')));
  expect(connection.listenerCount('close')).toBeGreaterThan(EventEmitter.defaultMaxListeners);
  expect(connection.getMaxListeners()).toBe(0);
});
