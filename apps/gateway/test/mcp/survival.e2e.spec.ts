// Proposals are rows: they outlive the processes that made them.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, newPractice, ownStack, type OwnStack } from '@practice/testing';
import { assistantWith, personalToken } from './assistants.js';

let own: OwnStack;
beforeAll(async () => {
  own = await ownStack();
});
afterAll(() => own.stop());

describe('a proposal', () => {
  it('is carried out by another gateway after its gateway and the identity service were killed', async () => {
    const [first, identity] = await Promise.all(
      ['gateway', 'identity', 'scheduling', 'clients'].map((name) => own.start(name)),
    );
    const origin = first?.origin ?? '';
    const practice = await eventually('a practice signs up', () =>
      newPractice(origin).catch(() => undefined),
    );
    const token = await personalToken(practice, undefined, origin);
    const before = await assistantWith(token, { origin });
    const values = { name: 'Ada' };
    const { data } = await eventually('the write is proposed', async () => {
      const proposed = await before.call('record', { resource: 'clients', values });
      return !proposed.isError && proposed;
    });
    const { proposal_id: id } = data['proposal'] as unknown as { proposal_id: string };
    for (const one of [first, identity]) {
      process.kill(one?.pid ?? 0, 'SIGKILL');
      await one?.exited;
    }
    const [second] = await Promise.all([own.start('gateway'), own.start('identity')]);
    const done = await eventually('the proposal is carried out', async () => {
      const after = await assistantWith(token, { origin: second.origin }).catch(() => undefined);
      const committed = await after?.call('commit', { proposal_id: id }).catch(() => undefined);
      return committed?.isError === false && committed;
    });
    expect(done.data).toMatchObject({ records: [{ quoted: { name: 'Ada' } }] });
  });
});
