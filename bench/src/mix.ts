// The mixed load: all resources as a practice's day asks for them, three reads in four.

import type { HttpRequest } from './load/protocol.js';
import type { Asking } from './requests.js';
import type { Practice } from './seed/seed.js';

export interface MixParts {
  readonly asking: Asking;
  readonly someoneRecorded: () => Practice;
  readonly changeable: () => { readonly practice: Practice; readonly id: string };
  readonly day: () => HttpRequest;
  readonly list: () => HttpRequest;
  readonly book: () => HttpRequest;
  readonly search: () => HttpRequest;
  readonly notes: () => HttpRequest;
  readonly expenses: () => HttpRequest;
}

/** Of twenty requests, fifteen read and five write; writes lie between reads. */
const order = [
  ...(['day', 'search', 'book', 'list', 'day', 'notes', 'converse'] as const),
  ...(['hours', 'menu', 'day', 'search', 'change', 'conversation', 'expenses'] as const),
  ...(['day', 'note', 'list', 'search', 'notes', 'spend'] as const),
];

/** Each call begins the mix for one connection; what that returns makes one request after the other. */
export function createMix(parts: MixParts): () => () => HttpRequest {
  const makersFor = (): Record<(typeof order)[number], () => HttpRequest> => ({
    ...parts,
    ...readsOf(parts),
    ...writesOf(parts),
    change: changes(parts),
  });
  let connections = 0;
  return () => {
    const makers = makersFor();
    // Connections begin at different places, so that writes do not come in waves.
    let turn = connections++ * 3;
    return () => makers[order[turn++ % order.length] as (typeof order)[number]]();
  };
}

function readsOf({ asking: { other }, someoneRecorded }: MixParts) {
  const read = (queryFor: (practice: Practice) => string) => (): HttpRequest => {
    const practice = someoneRecorded();
    return asked(other).read(practice, queryFor(practice));
  };
  return {
    hours: read(() => 'business_hours?order=day_of_week.asc,open_time.asc'),
    menu: read(() => 'service_menu?order=name.asc'),
    conversation: read(
      ({ regulars: [client] }) => `conversation_log?client_id=eq.${client}&order=created_at.desc&limit=20`,
    ),
  };
}

function writesOf({ asking: { other }, someoneRecorded }: MixParts) {
  const write = (resource: string, rowFor: (client: string) => object) => (): HttpRequest => {
    const practice = someoneRecorded();
    return asked(other).write(practice, resource, rowFor(practice.regulars.at(-1) as string));
  };
  return {
    converse: write('conversation_log', (client_id) => ({
      client_id,
      role: 'assistant',
      channel: 'chat',
      content: 'Asked whether Thursday suits; it does.',
    })),
    note: write('sessions', (client_id) => ({
      client_id,
      subjective: 'Slept better this week.',
      plan: 'Same again.',
    })),
    spend: write('expenses', () => ({
      date: '2026-06-30',
      amount: 18.5,
      category: 'office',
      vendor: 'Stationer',
    })),
  };
}

/** Confirms one that is scheduled, next time takes that back. */
function changes({ asking, changeable }: MixParts): () => HttpRequest {
  let confirmed: ReturnType<typeof changeable> | undefined;
  return () => {
    const { practice, id } = confirmed ?? changeable();
    const status = confirmed === undefined ? 'confirmed' : 'scheduled';
    confirmed = confirmed === undefined ? { practice, id } : undefined;
    return asking.changeStatus(practice, { id, status });
  };
}

function asked(other: Asking['other']): NonNullable<Asking['other']> {
  if (other === undefined) throw new Error('only the product answers the mixed load');
  return other;
}
