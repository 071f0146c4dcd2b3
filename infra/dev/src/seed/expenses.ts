// The demo practice's expenses in the year that ends today.
import { dayAfter } from './day.js';
import { idOf } from './identity.js';
import type { Chance } from './random.js';

export interface SeedExpense {
  readonly id: string;
  readonly date: string;
  readonly amount: number;
  readonly category: string;
  readonly description: string;
  readonly vendor: string;
}

interface Recurring {
  readonly category: string;
  readonly description: string;
  readonly vendor: string;
  /** Days from one to the next. */
  readonly every: number;
  readonly from: number;
  readonly to: number;
}

const recurring: readonly Recurring[] = [
  {
    category: 'rent',
    description: 'Practice room',
    vendor: 'Harbour Street Studios',
    every: 30,
    from: 850,
    to: 850,
  },
  {
    category: 'supervision',
    description: 'Clinical supervision, 90 minutes',
    vendor: 'Dr Helen Marsh',
    every: 28,
    from: 120,
    to: 120,
  },
  { category: 'software', description: 'Video calls', vendor: 'Clearcall', every: 30, from: 18, to: 18 },
  { category: 'telephone', description: 'Mobile', vendor: 'Northline', every: 30, from: 24, to: 31 },
  {
    category: 'supplies',
    description: 'Tissues, tea, paper',
    vendor: 'Corner Store',
    every: 19,
    from: 12,
    to: 48,
  },
  {
    category: 'books',
    description: 'Professional books',
    vendor: 'Fenwick Books',
    every: 55,
    from: 22,
    to: 74,
  },
  { category: 'travel', description: 'Train to supervision', vendor: 'Rail', every: 28, from: 14, to: 23 },
  { category: 'cleaning', description: 'Cleaning', vendor: 'Bright & Sons', every: 14, from: 45, to: 45 },
];

const single: readonly (Omit<SeedExpense, 'id' | 'date'> & { readonly ago: number })[] = [
  {
    ago: 301,
    amount: 412.5,
    category: 'insurance',
    description: 'Professional liability, one year',
    vendor: 'Mutual Care',
  },
  {
    ago: 210,
    amount: 640,
    category: 'training',
    description: 'Workshop on grief, two days',
    vendor: 'City Institute',
  },
  { ago: 198, amount: -80, category: 'training', description: 'Early-bird refund', vendor: 'City Institute' },
  { ago: 142, amount: 289.9, category: 'furniture', description: 'Reading chair', vendor: 'Oak & Linen' },
  {
    ago: 66,
    amount: 95,
    category: 'fees',
    description: 'Register of therapists',
    vendor: 'National Register',
  },
];

/** The expenses of the year up to `today`, oldest first. */
export function expensesUntil(today: string, chance: Chance): SeedExpense[] {
  const regular = recurring.flatMap((one) =>
    Array.from({ length: Math.ceil(364 / one.every) }, (_, index) => ({
      ...named(one),
      date: dayAfter(today, -(index * one.every + 2)),
      amount: round(one.from + chance.next() * (one.to - one.from)),
    })),
  );
  const others = single.map((one) => ({
    ...named(one),
    date: dayAfter(today, -one.ago),
    amount: one.amount,
  }));
  return [...regular, ...others]
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
    .map((one) => ({ id: idOf('expense', one.date, one.category, String(one.amount)), ...one }));
}

const named = ({
  category,
  description,
  vendor,
}: Pick<Recurring, 'category' | 'description' | 'vendor'>) => ({
  category,
  description,
  vendor,
});

const round = (amount: number): number => Math.round(amount * 100) / 100;
