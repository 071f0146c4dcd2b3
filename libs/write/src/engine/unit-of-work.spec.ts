import { expect, it } from '@jest/globals';
import type { Caller, DeletionBarrier, RecordOwners } from '@practice/mirror';
import type { TenantDatabase } from '@practice/storage';
import type { AttemptResult } from './attempt-result.js';
import type { WriteQueue } from './group/write-queue.js';
import { UnitsOfWork, type UnitOfWork } from './unit-of-work.js';

it('other services have to answer before the margin in which the write answers its own caller', async () => {
  const results: AttemptResult<string>[] = [
    { kind: 'unknown records', entries: [] },
    { kind: 'unconfirmed deletions', deletions: [] },
    { kind: 'done', value: 'written' },
  ];
  const deadlines: number[] = [];
  const asked = (caller: Caller) => Promise.resolve(void deadlines.push(caller.deadline));
  const queue = { write: () => Promise.resolve(results.shift()) } as unknown as WriteQueue;
  const owners = { fetch: (_: unknown, caller: Caller) => asked(caller) } as unknown as RecordOwners;
  const barrier = {
    confirm: (_: unknown, _attempt: unknown, caller: Caller) => asked(caller),
  } as unknown as DeletionBarrier;
  const units = new UnitsOfWork({} as TenantDatabase, queue, owners, barrier);
  const unit = { therapistId: 'practice', requestId: 'request', deadline: 3_000 } as UnitOfWork<string>;
  expect(await units.run(unit)).toBe('written');
  expect(deadlines).toEqual([2_500, 2_500]);
});
