// Writes of many records: each record is a step, so the process may pause between any two of them.

import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { catalog } from '@practice/contracts';
import { parseRequest, planWrite } from '@practice/query';
import type { Steps } from '@practice/core';
import type { Row } from '@practice/resource';
import type { Resumable } from './group/resumable.js';
import { PracticeView } from './group/practice-view.js';
import { intentsOf } from './intents.js';
import { storedRepresentation } from './representation.js';

const COUNT = 1_000;
const NOW = '2026-01-05T08:00:00.000Z';
const therapistId = randomUUID();
const owner = { therapistId, userId: therapistId, practiceRole: 'owner' } as const;

function planOf(prefer: string) {
  const rows = Array.from({ length: COUNT }, (_, index) => ({ date: '2026-01-05', amount: index + 1 }));
  const request = parseRequest({
    ...{ method: 'POST', query: '', resource: 'expenses' },
    headers: { 'content-type': 'application/json', prefer: `return=representation,${prefer}` },
    body: new TextEncoder().encode(JSON.stringify(rows)),
  });
  const context = { catalog, therapistId, practiceRole: 'owner' } as const;
  return planWrite(request, context);
}

function counted<T>(steps: Steps<T> | Resumable<T>): { pauses: number; value: T } {
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) return { pauses, value };
  }
}

describe('a write of 1,000 records can pause at each record', () => {
  it.each(['tx=commit', 'resolution=merge-duplicates'])('while they are checked (%s)', (prefer) => {
    expect(counted(intentsOf(planOf(prefer), NOW, owner)).pauses).toBe(COUNT);
  });

  it('while its representation is made', () => {
    const plan = planOf('tx=commit');
    const view = new PracticeView({ service: 'finance', therapistId });
    const { value: intents } = counted(counted(intentsOf(plan, NOW, owner)).value(view));
    const rows = intents.map(({ command }) => (command as unknown as { record: Row }).record);
    const { pauses, value } = counted(storedRepresentation(plan, rows));
    expect([pauses, JSON.parse(value ?? '[]')]).toMatchObject([COUNT, { length: COUNT }]);
  });
});
