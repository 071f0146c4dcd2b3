import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from '../messaging/connection.js';
import { eventually, stack } from '@practice/testing';
import { createPublisher } from './publisher.js';
import { sendReminders } from './subscriber.example.js';

function appointment(client_name: string) {
  return {
    type: 'AppointmentScheduled',
    data: { client_name, date: '2026-03-02', start_time: '09:00:00' },
    therapistId: randomUUID(),
    position: 1,
    aggregate: 'appointment',
    streamId: randomUUID(),
    version: 1,
    schemaVersion: 1,
    metadata: {
      eventId: randomUUID(),
      actor: { kind: 'system' as const },
      requestId: 'r',
      correlationId: 'c',
    },
    recordedAt: new Date().toISOString(),
  };
}

describe('the subscriber in README.md', () => {
  it('is short', () => {
    const shown = readFileSync(new URL('./subscriber.example.ts', import.meta.url), 'utf8');
    expect(shown.trim().split('\n').length).toBeLessThanOrEqual(15);
  });

  it('receives appointments', async () => {
    const url = stack().natsUrl('admin');
    const connection = await connect({ url, name: 'spec', logger: { info() {}, warn() {}, error() {} } });
    const name = `someone ${randomUUID()}`;
    const told: (string | null)[] = [];
    const stop = await sendReminders(url, async ({ client_name }) => void told.push(client_name));
    await createPublisher({ connection, service: 'spec' }).publish([appointment(name)]);
    await eventually('it received the appointment', () => told.includes(name));
    await stop();
    await connection.close();
  });
});
