// Random bookings: the decider, the constraint of the database and a simple model agree on which bookings are possible.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { appointments, type Appointment } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { entries, type LookupContext } from '@practice/resource';
import { defineService } from '@practice/service';
import { allMigrations, textsOf } from '@practice/storage';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import fc from 'fast-check';
import pg from 'pg';
import { record } from './testing/appointments.js';
import { appointment } from './appointment.js';

let scratch: ScratchSchema;
let database: pg.Client;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  database = new pg.Client({ connectionString: scratch.adminUrl });
  await database.connect();
  await database.query('SET ROLE scheduling_owner');
  const parts = defineService('scheduling', { rules: {} });
  const migrations = allMigrations(parts, join(import.meta.dirname, '../../migrations'));
  for (const text of migrations.flatMap(textsOf)) await database.query(text);
  // The owner of a table sees all of its rows.
});

afterAll(async () => {
  await database.end();
  await scratch.drop();
});

const CAPACITY = 2;
const service = randomUUID();
const practitioners = [null, randomUUID(), randomUUID()];

const booking = fc.record({
  start: fc.integer({ min: 8, max: 10 }),
  length: fc.constantFrom(1, 1, 1, 2),
  practitioner_id: fc.constantFrom(...practitioners),
  service_id: fc.constantFrom(null, service, service, service),
  status: fc.constantFrom<Appointment['status']>('scheduled', 'scheduled', 'confirmed', 'cancelled'),
  allow_overlap: fc.constantFrom(false, false, false, true),
});

type Booking = typeof booking extends fc.Arbitrary<infer B> ? B : never;

const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;

const wantedOf = ({ start, length, ...rest }: Booking): Appointment =>
  record({ id: randomUUID(), start_time: hour(start), end_time: hour(start + length), ...rest });

type Verdict = 'free' | 'overlap' | 'full';

/** The verdict of a simple model, which looks at one calendar after another. */
function expected(wanted: Appointment, booked: readonly Appointment[]): Verdict {
  const blocks = ({ status, allow_overlap: may }: Appointment) =>
    ['scheduled', 'confirmed'].includes(status) && !may;
  const isIn = (calendar: string, { practitioner_id: of }: Appointment) => of === null || of === calendar;
  if (!blocks(wanted)) return 'free';
  // A practitioner without appointments represents all others.
  const calendars = [...practitioners.filter((one) => one !== null), randomUUID()];
  const inTheWay = calendars
    .filter((calendar) => isIn(calendar, wanted))
    .map((calendar) =>
      booked
        .filter((one) => blocks(one) && isIn(calendar, one))
        .filter((one) => one.start_time < wanted.end_time && wanted.start_time < one.end_time),
    );
  const isSameSlot = (one: Appointment) =>
    one.service_id !== null &&
    one.service_id === wanted.service_id &&
    one.start_time === wanted.start_time &&
    one.end_time === wanted.end_time;
  if (inTheWay.flat().some((one) => !isSameSlot(one))) return 'overlap';
  return inTheWay.some((slot) => slot.length >= (wanted.service_id === null ? 1 : CAPACITY))
    ? 'full'
    : 'free';
}

/** The appointment with its seat; null if the decider refuses it. */
function decided(wanted: Appointment, booked: readonly Appointment[]): Appointment | null {
  const rows: Readonly<Record<string, readonly object[]>> = {
    appointments: booked,
    service_menu: [{ id: service, capacity: CAPACITY }],
  };
  const context = {
    now: '2026-05-01T08:00:00+00:00',
    rows: ({ name }: { name: string }) => rows[name] ?? [],
  } as unknown as LookupContext;
  try {
    const [event] = appointment.decide({ kind: 'create', record: wanted }, null, context);
    return event?.data as Appointment;
  } catch (error) {
    expect(error).toBeInstanceOf(Rejection);
    return null;
  }
}

const columns = entries(appointments.columns).map(([name]) => name);

/** The name of the constraint that refuses a row; null if it is stored. */
async function stored(row: Appointment): Promise<string | null> {
  const names = [...columns, 'version', '_json'];
  const values = [...columns.map((name) => row[name as keyof Appointment]), 1, '{}'];
  await database.query('SAVEPOINT row');
  try {
    await database.query(
      `INSERT INTO scheduling.appointments (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})`,
      values,
    );
    return null;
  } catch (error) {
    await database.query('ROLLBACK TO SAVEPOINT row');
    return (error as { constraint?: string }).constraint ?? String(error);
  }
}

describe('random bookings of a day', () => {
  it('are judged in the same way by the decider, the database and the model', async () => {
    const seen = new Set<Verdict>();
    await fc.assert(
      fc.asyncProperty(fc.array(booking, { maxLength: 15, size: 'max' }), async (bookings) => {
        const booked: Appointment[] = [];
        await database.query('BEGIN');
        try {
          for (const wanted of bookings.map(wantedOf)) {
            const verdict = expected(wanted, booked);
            seen.add(verdict);
            const row = decided(wanted, booked);
            expect(row === null).toBe(verdict !== 'free');
            // The database does not count seats, so it gets a free seat.
            const constraint = await stored(row ?? { ...wanted, seat: 100 });
            expect(constraint).toBe(verdict === 'overlap' ? 'appointments_no_double_booking' : null);
            if (row !== null) booked.push(row);
            else if (constraint === null) await database.query('ROLLBACK TO SAVEPOINT row');
          }
        } finally {
          await database.query('ROLLBACK');
        }
      }),
      { numRuns: 60 },
    );
    expect([...seen].sort()).toEqual(['free', 'full', 'overlap']);
  });
});
