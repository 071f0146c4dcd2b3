// The demo practice's expenses in the year that ends today.
import type { Faker } from '@faker-js/faker';
import { dayAfter } from './day.js';

/** Category, description, least and greatest amount, days from one to the next. */
const recurring = [
  ['rent', 'Practice room', 850, 850, 30],
  ['supervision', 'Clinical supervision, 90 minutes', 120, 120, 28],
  ['software', 'Video calls', 18, 18, 30],
  ['telephone', 'Mobile', 24, 31, 30],
  ['supplies', 'Tissues, tea, paper', 12, 48, 19],
  ['books', 'Professional books', 22, 74, 55],
  ['travel', 'Train to supervision', 14, 23, 28],
  ['cleaning', 'Cleaning', 45, 45, 14],
  ['insurance', 'Professional liability, one year', 412.5, 412.5, 364],
  ['training', 'Workshop on grief, two days', 640, 640, 364],
  ['training', 'Refund of a cancelled day', -80, -80, 364],
] as const;

/** The expenses of the year up to `today`. */
export const expensesUntil = (today: string, faker: Faker) =>
  recurring.flatMap(([category, description, min, max, every]) => {
    const [vendor, first] = [faker.company.name(), faker.number.int({ min: 1, max: every / 2 })];
    return Array.from({ length: Math.ceil(364 / every) }, (_, index) => ({
      id: faker.string.uuid(),
      date: dayAfter(today, -(index * every + first)),
      amount: faker.number.float({ min, max, fractionDigits: 2 }),
      category,
      description,
      vendor,
    }));
  });
