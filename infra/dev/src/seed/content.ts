// All records of the demo practice, resource by resource, in the order in which they refer to each other.
import { clientsOn } from './clients.js';
import { conversationsUntil } from './conversations.js';
import { expensesUntil } from './expenses.js';
import { idOf } from './identity.js';
import { notesOf } from './notes.js';
import { openSpans, servicesOffered } from './practice.js';
import { chanceFrom } from './random.js';
import { yearRound } from './year.js';

/** Rows for one resource; every row brings its id, so that the same practice is never made twice. */
export interface SeedTable {
  readonly resource: string;
  readonly rows: readonly { readonly id: string }[];
}

const CHANCE = 20_260_101;

/** The whole practice round `today` (YYYY-MM-DD): the same day gives the same records. */
export function contentOn(today: string): SeedTable[] {
  const chance = chanceFrom(CHANCE);
  const clients = clientsOn(today);
  const year = yearRound(today, clients, chance);
  return [
    {
      resource: 'service_menu',
      rows: servicesOffered.map(({ name, duration, price, capacity }) => ({
        id: idOf('service', name),
        name,
        duration,
        price,
        capacity,
      })),
    },
    {
      resource: 'business_hours',
      rows: openSpans.map((span) => ({ id: idOf('hours', span.day_of_week, span.open_time), ...span })),
    },
    {
      resource: 'clients',
      rows: clients.map(({ concern: _, joined: __, left: ___, ...row }) => row),
    },
    {
      resource: 'appointments',
      rows: year.map(({ service, ...row }) => ({ ...row, service_id: idOf('service', service) })),
    },
    { resource: 'sessions', rows: notesOf(year, clients, chance) },
    { resource: 'expenses', rows: expensesUntil(today, chance) },
    { resource: 'conversation_log', rows: conversationsUntil(today, clients, chance) },
  ];
}
