import { describe, it } from '@jest/globals';
import { type PracticeExport, practiceExports } from '@practice/contracts';
import type { Changes, Command, EventOf } from '@practice/resource';
import { NOW, recordsOf, specOf } from '@practice/testing';
import { practiceExport } from './export-practice.js';

type Exports = typeof practiceExports;

const dana = '018f0000-0000-7000-8000-00000000000d';
const begun = { requested_at: NOW, requested_by: dana, status: 'running', progress: 0 } as const;
const recordOf = recordsOf(practiceExports, begun);
const requested = (): EventOf<Exports> => ({ type: 'ExportRequested', data: recordOf() });
const progressed = (progress: number): EventOf<Exports> => ({ type: 'ExportProgressed', data: { progress } });
const change = (changes: Changes<Exports>): Command<Exports> => ({ kind: 'change', changes });

const end: Pick<PracticeExport, 'size' | 'expires_at'> = { size: 4_294_967_296, expires_at: NOW };
const completed: EventOf<Exports> = {
  type: 'ExportCompleted',
  data: { status: 'done', progress: 100, ...end },
};
const failed: EventOf<Exports> = { type: 'ExportFailed', data: { status: 'failed', problem: 'stopped' } };

describe('an export', () => {
  const given = specOf(practiceExport);

  it('is requested', () => {
    given().when({ kind: 'create', record: recordOf() }).then(requested());
  });

  it('makes progress', () => {
    given(requested())
      .when(change({ progress: 30 }))
      .then(progressed(30));
  });

  it('is completed with its size and its expiry', () => {
    given(requested(), progressed(90))
      .when(change({ status: 'done', progress: 100, ...end }))
      .then(completed);
  });

  it('fails with the reason, and keeps its progress', () => {
    given(requested(), progressed(30))
      .when(change({ status: 'failed', problem: 'stopped' }))
      .then(failed);
  });

  it.each([
    ['complete', completed],
    ['failed', failed],
  ])('does not change after it is %s', (_, ended) => {
    for (const late of [{ progress: 50 }, { status: 'failed', problem: 'late' }, { status: 'done', ...end }])
      given(requested(), ended)
        .when(change(late as Changes<Exports>))
        .thenNothing();
  });
});
