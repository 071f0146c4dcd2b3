// The reads of the benchmark as PostgREST URLs. The product gets the URLs, and the baselines run the SQL that they compile to.

import { dayOf, SEED_BEGINS } from './calendar.js';
import { EXPENSE_ROWS, LIST_ROWS, NOTE_ROWS } from './scenario.js';

export interface Read {
  readonly name: string;
  /** The resource and its query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** These days have more than fifty appointments that are scheduled or confirmed, as three of four are. */
export const LIST_DAYS = 12;

/** The part of `select` that embeds the clients of appointments, which another service owns. */
export const CLIENT = 'clients(name,phone),';

const dayUrl = (date: string): string => `appointments?date=eq.${date}&order=start_time.asc`;
const withServices = (date: string, client: string): string =>
  `${dayUrl(date)}&select=start_time,end_time,status,${client}service_menu(name,price)`;

export const reads = {
  day: (date: string): Read => ({ name: 'day', url: dayUrl(date) }),
  list: (begins: number): Read => {
    const [from, to] = [dayOf(begins, 0), dayOf(begins, LIST_DAYS - 1)];
    const where = `status=in.(scheduled,confirmed)&date=gte.${from}&date=lte.${to}`;
    return { name: 'list', url: `appointments?${where}&order=date.asc,start_time.asc&limit=${LIST_ROWS}` };
  },
  search: (name: string): Read => ({ name: 'search', url: `clients?name=ilike.*${name}*&order=name.asc` }),
  notes: (client: string): Read => ({
    name: 'notes',
    url: `sessions?client_id=eq.${client}&order=created_at.desc&limit=${NOTE_ROWS}`,
  }),
  expenses: (): Read => ({ name: 'expenses', url: `expenses?order=date.desc&limit=${EXPENSE_ROWS}` }),
  /** A day's appointments, each with its service, which the same service owns. */
  within: (date: string): Read => ({ name: 'within', url: withServices(date, '') }),
  /** The same appointments, each also with its client, which another service owns. */
  across: (date: string): Read => ({ name: 'across', url: withServices(date, CLIENT) }),
  /** The first fifty appointments, and the number of all of them. */
  count: (): Read => ({
    name: 'count',
    url: `appointments?order=date.asc,start_time.asc&limit=${LIST_ROWS}`,
    headers: { prefer: 'count=exact' },
  }),
  /** All expenses as CSV. */
  csv: (): Read => ({ name: 'csv', url: 'expenses?order=date.desc', headers: { accept: 'text/csv' } }),
};

export const examples = (name: string, client: string): Readonly<Record<keyof typeof reads, Read>> => {
  const day = dayOf(SEED_BEGINS, 0);
  return {
    day: reads.day(day),
    list: reads.list(SEED_BEGINS),
    search: reads.search(name),
    notes: reads.notes(client),
    expenses: reads.expenses(),
    within: reads.within(day),
    across: reads.across(day),
    count: reads.count(),
    csv: reads.csv(),
  };
};
