import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Connection, Requester } from '@practice/bus';
import type { Logger } from '@practice/process';
import { Allowances } from '../allowance.js';
import { type ChangeListener, Changes } from './practice-changes.js';

it('listeners learn that changes were missed while the connection to the bus was lost', async () => {
  const restored: (() => void)[] = [];
  let isUp = true;
  const connection = {
    onUp: (listener: () => void) => restored.push(listener),
    nats: {
      subscribe: () => ({ unsubscribe: () => undefined }),
      flush: () => (isUp ? Promise.resolve() : Promise.reject(new Error('disconnected'))),
      isClosed: () => false,
    },
  } as unknown as Connection;
  const [requester, logger] = [{} as Requester, {} as Logger];
  const changes = new Changes({ connection, requester, logger, allowances: new Allowances() });
  const missed: string[] = [];
  const listener: ChangeListener = {
    hears: () => true,
    *changed() {
      return 0;
    },
    missed: (whose) => void missed.push(whose),
  };
  await changes.listen('practice', listener);
  const restore = async (): Promise<void> => {
    for (const listen of restored) listen();
    await setImmediate();
  };

  isUp = false;
  await restore();
  expect(missed).toEqual([]);
  isUp = true;
  await restore();
  expect(missed).toEqual(['all services']);
  changes.leave('practice', listener);
  await restore();
  expect(missed).toEqual(['all services']);
});
