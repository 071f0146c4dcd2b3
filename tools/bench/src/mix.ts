// The mixed load: requests for all resources, as on a day of a practice. Three of four requests are reads.

import type { HttpRequest } from './load/protocol.js';
import type { Read } from './reads.js';
import type { Practice } from './seed/seed.js';

/** Twenty requests: fifteen reads, with five writes between them. */
export const mixOrder = [
  ...(['day', 'search', 'book', 'list', 'day', 'notes', 'converse'] as const),
  ...(['hours', 'menu', 'day', 'search', 'change', 'conversation', 'expenses'] as const),
  ...(['day', 'note', 'list', 'search', 'notes', 'spend'] as const),
];

type Make = () => HttpRequest;

/** The reads that no other scenario has. */
export function mixReads(reader: (readFor: (practice: Practice) => Read) => Make) {
  const read = (name: string, urlFor: (client: string) => string): Make =>
    reader(({ regulars }) => ({ name, url: urlFor(regulars[0] as string) }));
  return {
    hours: read('hours', () => 'business_hours?order=day_of_week.asc,open_time.asc'),
    menu: read('menu', () => 'service_menu?order=name.asc'),
    conversation: read(
      'conversation',
      (client) => `conversation_log?client_id=eq.${client}&order=created_at.desc&limit=20`,
    ),
  };
}

/** The writes that no other scenario has. */
export const mixWrites = (writer: (resource: string, rowFor: (client: string) => object) => Make) => ({
  converse: writer('conversation_log', (client_id) => ({
    client_id,
    role: 'assistant',
    channel: 'chat',
    content: 'Asked whether Thursday suits; it does.',
  })),
  note: writer('sessions', (client_id) => ({
    client_id,
    subjective: 'Slept better this week.',
    plan: 'Same again.',
  })),
  spend: writer('expenses', () => ({
    date: '2026-06-30',
    amount: 18.5,
    category: 'office',
    vendor: 'Stationer',
  })),
});
