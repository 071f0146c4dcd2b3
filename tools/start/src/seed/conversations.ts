// The demo practice's conversations with its clients between sessions.
import type { Faker } from '@faker-js/faker';
import type { SeedClient } from './clients.js';
import { dayAfter, momentOf } from './day.js';

/** The channel, then the role and the text of each line. */
const talks = [
  [
    'sms',
    ['client', 'Could we move this week to Thursday?'],
    ['therapist', 'Thursday at four is free. Shall I book it?'],
    ['client', 'Yes please, thank you!'],
  ],
  [
    'email',
    ['client', 'Please send me the invoice of last month.'],
    ['therapist', 'It is attached. Let me know if anything is missing.'],
  ],
  [
    'chat',
    ['client', 'When is my next session?'],
    ['assistant', 'I have looked it up and sent you the date and time.'],
  ],
  ['sms', ['system', 'Reminder of tomorrow’s appointment was sent.']],
  ['phone', ['therapist', 'Called back about the letter for the GP; it goes out on Friday.']],
  ['note', ['therapist', 'Prefers mornings from next month on.']],
] as const;

/** The conversations of the half year before `today`: one to four with each client. */
export const conversationsUntil = (today: string, clients: readonly SeedClient[], faker: Faker) =>
  clients.flatMap((client) =>
    faker.helpers
      .multiple((_, thread) => talkWith(client, { today, thread, faker }), { count: { min: 1, max: 4 } })
      .flat(),
  );

function talkWith(
  { id: client_id, joined, left }: SeedClient,
  { today, thread, faker }: { readonly today: string; readonly thread: number; readonly faker: Faker },
) {
  const [channel, ...lines] = faker.helpers.arrayElement(talks);
  const ago = dayAfter(left ?? dayAfter(today, -1), -faker.number.int(170));
  const date = ago < joined ? joined : ago;
  const hour = String(faker.number.int({ min: 8, max: 17 })).padStart(2, '0');
  return lines.map(([role, content], line) => ({
    id: faker.string.uuid(),
    client_id,
    role,
    channel,
    content,
    metadata: { thread: thread + 1, line: line + 1 },
    created_at: momentOf(date, `${hour}:${10 + line * 7}`),
  }));
}
