// A log with events about lamps, which need no definitions.

import { allSteps } from '@practice/core';
import { actToWrite, appendAll, asSystem, lockPractices, openPractice } from '@practice/log';
import type { Statement } from '@practice/log';
import { systemMetadata, type ScratchService } from '@practice/testing';

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const BEGAN = Date.UTC(2026, 4, 1);
const HOUR = 3_600_000;

/** Appends events of one stream to a practice's log, one hour apart. */
export async function appendLamps(log: ScratchService, therapistId: string, count: number): Promise<void> {
  const { service } = log;
  const client = await log.connect(log.url());
  const ask = ({ text, values }: Statement) => client.query(text, values as unknown[]);
  await client.query('BEGIN');
  await ask(actToWrite([asSystem(therapistId)]));
  await ask(openPractice(service, therapistId));
  const { rows } = await ask(lockPractices(service, [therapistId], 'wait'));
  const position = Number((rows as { position: string }[])[0]?.position);
  const events = upTo(count).map((number) => ({
    type: 'LampLit',
    data: { brightness: number },
    aggregate: 'lamp',
    streamId: therapistId,
    version: position + number,
    schemaVersion: 1,
    lifecycle: { created: position + number === 1 ? ['LampLit'] : [], deleted: [] },
    metadata: systemMetadata(),
    recordedAt: new Date(BEGAN + (position + number) * HOUR).toISOString().replace('.000Z', '+00:00'),
  }));
  await ask(allSteps(appendAll(service, [{ therapistId, position, events }])));
  await client.query('COMMIT');
}
