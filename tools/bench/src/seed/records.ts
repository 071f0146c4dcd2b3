// The records of a practice except its appointments: clients, session notes, conversations, expenses, hours, services.

import { randomUUID } from 'node:crypto';
import { booking, dayOf, LINKED_BEGINS } from '../calendar.js';
import { CSV_ROWS, PER_DAY, SEARCH_ROWS } from '../scenario.js';

/** Family names of clients. Each is the name of ten clients. */
export const familyNames = [
  'Adeyemi Bianchi Clarke Dubois Ferrari Goldberg Haddad Ivanova Jensen Kowalska',
  'Lindqvist Moore Novak Ortega Petrov Reyes Solberg Thompson Weber Yildiz',
].flatMap((names) => names.split(' '));
const givenNames = 'Amara Ben Chen Dana Emil Freya George Hana Ines Jonas'.split(' ');

/** The date of a day with appointments that have a client and a service. */
export const linkedDay = (index: number): string => dayOf(LINKED_BEGINS, index);

const REGULARS = 4;
const NOTES_EACH = 60;
const MESSAGES_EACH = 20;
/** The number of days with appointments that have a client and a service. */
export const LINKED_DAYS = 40;
const BOOKS_BEGIN = Date.UTC(2026, 0, 1);

export function recordsOfPractice() {
  const clients = clientRows(familyNames.length * SEARCH_ROWS);
  const regulars = clients.slice(0, REGULARS).map(({ id }) => id);
  const menu = services.map((service) => ({ id: randomUUID(), ...service }));
  const linked = Array.from({ length: LINKED_DAYS * PER_DAY }, (_, index) => ({
    ...booking(LINKED_BEGINS, index, 'confirmed'),
    client_id: clients[index % clients.length]?.id,
    service_id: menu[index % menu.length]?.id,
  }));
  const ofRegulars = (count: number, row: (client_id: string, index: number) => object): object[] =>
    Array.from({ length: count * REGULARS }, (_, index) => row(regulars[index % REGULARS] as string, index));
  return {
    /** Clients with notes and conversations. */
    regulars,
    /** In the order in which they refer to each other. */
    bulks: [
      { resource: 'business_hours', rows: hours },
      { resource: 'service_menu', rows: menu },
      { resource: 'clients', rows: clients },
      { resource: 'appointments', rows: linked },
      { resource: 'sessions', rows: ofRegulars(NOTES_EACH, note) },
      { resource: 'conversation_log', rows: ofRegulars(MESSAGES_EACH, message) },
      { resource: 'expenses', rows: Array.from({ length: CSV_ROWS }, (_, index) => expense(index)) },
    ],
  };
}

/** Clients. The names of the first two hundred are all different. */
const clientRows = (count: number): { id: string; name: string; email: string }[] =>
  Array.from({ length: count }, (_, index) => {
    const given = givenNames[Math.floor(index / familyNames.length) % givenNames.length];
    return {
      id: randomUUID(),
      name: `${given} ${familyNames[index % familyNames.length]}`,
      email: `client-${index}@example.com`,
    };
  });

const momentOf = (index: number): string => `${dayOf(BOOKS_BEGIN, index)}T10:00:00Z`;

const note = (client_id: string, index: number): object => ({
  client_id,
  subjective: 'Slept better, worries less about work.',
  objective: 'Calm, on time, spoke freely.',
  assessment: 'The exercises help; keeps at them by herself.',
  plan: 'Same exercises, longer walks; next week the letter.',
  created_at: momentOf(index),
});

const message = (client_id: string, index: number): object => ({
  client_id,
  role: index % 2 === 0 ? 'client' : 'therapist',
  channel: 'email',
  content: 'Could we meet half an hour later next time?',
  created_at: momentOf(index),
});

const expense = (index: number): object => ({
  date: dayOf(BOOKS_BEGIN, index),
  amount: 12.5 + index,
  category: 'rent',
  description: 'Room for a day.',
  vendor: 'The house at the corner',
});

/** The business hours of a practice. */
const hours = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day_of_week) => ({
  day_of_week,
  open_time: '08:00',
  close_time: '16:00',
}));

const services = [
  { name: 'First meeting', duration: 80, price: 120 },
  { name: 'Session', duration: 50, price: 90 },
  { name: 'Couple', duration: 80, price: 140 },
];
