import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect, type Requester } from '@practice/bus';
import { createLogger } from '@practice/process';
import { eventually, stack, wireTo } from '@practice/testing';
import { Allowances } from '../allowance.js';
import { type ChangeListener, Changes } from './practice-changes.js';

it('listeners learn that changes were missed while the connection to the bus was lost', async () => {
  const wire = await wireTo(stack().natsUrl('admin'));
  const logger = createLogger('spec', 'silent');
  const connection = await connect({ url: wire.url, name: 'changes spec', logger });
  const changes = new Changes({ connection, logger, requester: {} as Requester }, new Allowances());
  const missed: string[] = [];
  const listener: ChangeListener = {
    hears: () => true,
    *changed() {
      return 0;
    },
    missed: (whose) => void missed.push(whose),
  };
  const practice = randomUUID();
  await changes.listen(practice, listener);
  try {
    wire.cut();
    await eventually('the connection is lost', () => !connection.isUp());
    expect(missed).toEqual([]);
    wire.restore();
    await eventually('the listener knows', () => missed.length > 0);
    expect(missed).toEqual(['all services']);
  } finally {
    changes.leave(practice, listener);
    await connection.close();
    await wire.close();
  }
});
