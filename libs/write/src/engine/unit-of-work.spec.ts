import { expect, it } from '@jest/globals';
import type { Requester } from '@practice/bus';
import { type Caller, type DeletionBarrier, RecordOwners } from '@practice/mirror';
import type { TenantDatabase } from '@practice/storage';
import type { AttemptResult } from './attempt-result.js';
import type { WriteQueue } from './group/write-queue.js';
import { UnitsOfWork, type UnitOfWork } from './unit-of-work.js';

it('other services have to answer before the margin in which the write answers its own caller', async () => {
  const unknown = { resource: 'clients', id: 'ada', version: 0, row: null, mark: null };
  const results: AttemptResult<string>[] = [
    { kind: 'unknown records', entries: [unknown] },
    { kind: 'unconfirmed deletions', deletions: [] },
    { kind: 'done', value: 'written' },
  ];
  const deadlines: number[] = [];
  const asked = (caller: Caller) => Promise.resolve(void deadlines.push(caller.deadline));
  const queue = { write: () => Promise.resolve(results.shift()) } as unknown as WriteQueue;
  const body = Buffer.from(JSON.stringify({ records: [], marked: [] }));
  const requester = {
    request: (_: string, caller: Caller) => asked(caller).then(() => ({ status: 200, headers: {}, body })),
  } as unknown as Requester;
  const owners = new RecordOwners(requester, {});
  const barrier = {
    confirm: (_: unknown, _attempt: unknown, caller: Caller) => asked(caller),
  } as unknown as DeletionBarrier;
  const units = new UnitsOfWork({} as TenantDatabase, queue, owners, barrier);
  const unit = { therapistId: 'practice', requestId: 'request', deadline: 3_000 } as UnitOfWork<string>;
  expect(await units.run(unit)).toBe('written');
  expect(deadlines).toEqual([2_500, 2_500]);
});
