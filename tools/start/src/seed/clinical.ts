// Diagnoses and questionnaires of the demo practice's clients, and the notes that are signed.
import type { Faker } from '@faker-js/faker';
import type { SeedClient } from './clients.js';
import { dayAfter, momentOf } from './day.js';

const illnesses = [
  { code: 'F41.1', description: 'Generalized anxiety disorder' },
  { code: 'F41.0', description: 'Panic disorder' },
  { code: 'F32.1', description: 'Major depressive disorder, single episode, moderate' },
  { code: 'F51.01', description: 'Primary insomnia' },
  { code: 'F43.22', description: 'Adjustment disorder with anxiety' },
];

/** A diagnosis for most clients, from their first day on. */
export const diagnosesOf = (clients: readonly SeedClient[], faker: Faker) =>
  clients
    .filter(() => faker.datatype.boolean(0.8))
    .map(({ id, joined, left }) => ({
      id: faker.string.uuid(),
      client_id: id,
      ...faker.helpers.arrayElement(illnesses),
      since: joined,
      until: left,
    }));

const questionnaires = [
  { instrument: 'phq-9', items: 9 },
  { instrument: 'gad-7', items: 7 },
];
const EVERY_DAYS = 60;

/** Both questionnaires every two months, with answers that become lower. */
export function measuresUntil(today: string, clients: readonly SeedClient[], faker: Faker) {
  return clients.flatMap(({ id, joined, left }) => {
    const last = left !== null && left < today ? left : today;
    const days: string[] = [];
    for (let day = joined; day <= last; day = dayAfter(day, EVERY_DAYS)) days.push(day);
    return days.flatMap((day, index) =>
      questionnaires.map(({ instrument, items }) => ({
        id: faker.string.uuid(),
        client_id: id,
        instrument,
        taken_at: momentOf(day, '09:00'),
        answers: Object.fromEntries(
          Array.from({ length: items }, (_, item) => {
            // Item 9 of PHQ-9 asks about self-harm.
            const most = item === 8 ? 0 : Math.max(1, 3 - index);
            return [String(item + 1), faker.number.int({ max: most })];
          }),
        ),
      })),
    );
  });
}

/** The first note of each month is signed. */
export const signedAmong = (
  notes: readonly { readonly id: string; readonly created_at: string }[],
): string[] => [
  ...new Map(
    notes
      .toSorted((one, other) => (one.created_at > other.created_at ? -1 : 1))
      .map(({ id, created_at }) => [created_at.slice(0, 7), id]),
  ).values(),
];
