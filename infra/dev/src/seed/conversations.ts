// The demo practice's conversations with its clients between sessions.
import type { SeedClient } from './clients.js';
import { dayAfter, momentOf } from './day.js';
import { idOf } from './identity.js';
import type { Chance } from './random.js';

export interface SeedEntry {
  readonly id: string;
  readonly client_id: string;
  readonly role: 'client' | 'therapist' | 'assistant' | 'system';
  readonly channel: 'chat' | 'email' | 'sms' | 'phone' | 'note';
  readonly content: string;
  readonly metadata: Readonly<Record<string, string | number>>;
  readonly created_at: string;
}

type Line = Omit<SeedEntry, 'id' | 'client_id' | 'metadata' | 'created_at'>;

const talks: readonly (readonly Line[])[] = [
  [
    { role: 'client', channel: 'sms', content: 'Could we move this week to Thursday?' },
    { role: 'therapist', channel: 'sms', content: 'Thursday at four is free. Shall I book it?' },
    { role: 'client', channel: 'sms', content: 'Yes please, thank you!' },
  ],
  [
    { role: 'client', channel: 'email', content: 'Please send me the invoice of last month.' },
    { role: 'therapist', channel: 'email', content: 'It is attached. Let me know if anything is missing.' },
  ],
  [
    { role: 'client', channel: 'chat', content: 'When is my next session?' },
    { role: 'assistant', channel: 'chat', content: 'I have looked it up and sent you the date and time.' },
  ],
  [{ role: 'system', channel: 'sms', content: 'Reminder of tomorrow’s appointment was sent.' }],
  [
    {
      role: 'therapist',
      channel: 'phone',
      content: 'Called back about the letter for the GP; it goes out on Friday.',
    },
  ],
  [{ role: 'therapist', channel: 'note', content: 'Prefers mornings from next month on.' }],
];

/** How many talks with each client. */
const LEAST = 1;
const MOST = 4;
/** Minutes from one line of a talk to the next. */
const PAUSE = 7;

/** The conversations of the half year before `today`, client by client. */
export function conversationsUntil(
  today: string,
  clients: readonly SeedClient[],
  chance: Chance,
): SeedEntry[] {
  return clients.flatMap((client) => {
    const count = LEAST + Math.floor(chance.next() * (MOST - LEAST + 1));
    const until = client.left ?? dayAfter(today, -1);
    return Array.from({ length: count }, (_, talk) => {
      const date = [dayAfter(until, -Math.floor(chance.next() * 170)), client.joined].sort().at(-1) ?? until;
      return talkOf(client, { date, hour: 8 + Math.floor(chance.next() * 10), talk }, chance.pick(talks));
    }).flat();
  });
}

function talkOf(
  { id: client_id }: SeedClient,
  { date, hour, talk }: { readonly date: string; readonly hour: number; readonly talk: number },
  lines: readonly Line[],
): SeedEntry[] {
  return lines.map((line, index) => ({
    id: idOf('conversation', client_id, String(talk), String(index)),
    client_id,
    ...line,
    metadata: { thread: talk + 1, line: index + 1 },
    created_at: momentOf(
      date,
      `${String(hour).padStart(2, '0')}:${String(5 + index * PAUSE).padStart(2, '0')}`,
    ),
  }));
}
