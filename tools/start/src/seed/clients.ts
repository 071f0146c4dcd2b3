// The clients of the demo practice.
import type { Faker } from '@faker-js/faker';
import { dayAfter, momentOf } from './day.js';

const CLIENTS = 40;
/** The first clients are former ones. */
const FORMER = 5;

/** Every third client joined within the last half year; the others, and all former ones, long before. */
const joinedAgo = (index: number): number => {
  if (index < FORMER) return 400 + index;
  return index % 3 === 1 ? 10 + index * 4 : 220 + index * 17;
};

/** The clients of the practice as they are on `today` (YYYY-MM-DD). Addresses and numbers are from ranges reserved for examples. */
export function clientsOn(today: string, faker: Faker) {
  const names = faker.helpers.uniqueArray(() => faker.person.fullName(), CLIENTS);
  return names.map((name, index) => {
    const isFormer = index < FORMER;
    const joined = dayAfter(today, -joinedAgo(index));
    return {
      id: faker.string.uuid(),
      name,
      email: index % 9 === 7 ? null : faker.internet.exampleEmail({ firstName: name }).toLowerCase(),
      phone: `020 7946 0${String(100 + index * 7)}`,
      status: isFormer ? (index < 3 ? 'inactive' : 'archived') : 'active',
      created_at: momentOf(dayAfter(joined, -3), '11:30'),
      isCouple: index % 6 === 5,
      /** The member who sees the client. */
      sees: index % 5 < 3 ? ('owner' as const) : ('therapist' as const),
      /** First day with appointments. */
      joined,
      /** Last day of a former client; null for a current one. */
      left: isFormer ? dayAfter(today, -24 - 30 * index) : null,
    };
  });
}

export type SeedClient = ReturnType<typeof clientsOn>[number];

/** Whether the client has appointments at that time. */
export const comesOn = ({ joined, left }: SeedClient, date: string): boolean =>
  joined <= date && (left === null || date <= left);
