// How each side wants to be asked for the same things.

import type { Booking } from './calendar.js';
import type { HttpRequest } from './load/protocol.js';
import type { Practice } from './seed/seed.js';
import { EXPENSE_ROWS, LIST_ROWS, NOTE_ROWS } from './sizes.js';

export interface AskingForAppointments {
  day(practice: Practice, date: string): HttpRequest;
  list(practice: Practice, from: string, to: string): HttpRequest;
  book(practice: Practice, booking: Booking): HttpRequest;
  changeStatus(practice: Practice, change: { readonly id: string; readonly status: string }): HttpRequest;
}

export interface Asking extends AskingForAppointments {
  search(practice: Practice, text: string): HttpRequest;
  notes(practice: Practice, client: string): HttpRequest;
  expenses(practice: Practice): HttpRequest;
  /** A day's appointments, each with its service, which the same service owns. */
  within(practice: Practice, date: string): HttpRequest;
  /** The same with its client, too, whom another service owns. */
  across(practice: Practice, date: string): HttpRequest;
  /** The first fifty appointments of all, and how many there are. */
  count(practice: Practice): HttpRequest;
  /** All expenses as CSV. */
  csv(practice: Practice): HttpRequest;
  /** All other requests. Only the product serves them. */
  readonly other?: Other;
}

export interface Other {
  read(practice: Practice, resourceAndQuery: string): HttpRequest;
  write(practice: Practice, resource: string, row: object): HttpRequest;
}

const OF_A_DAY = 'start_time,end_time,status';
const SERVICE = 'service_menu(name,price)';
const CLIENT = 'clients(name,phone)';
const JSON_TYPE = { 'content-type': 'application/json' };
const rest = '/rest/v1';
const path = `${rest}/appointments`;

/** The product, as its callers ask it. */
export function askingProduct(apikey: string): Asking {
  const tokens = new WeakMap<Practice, Readonly<Record<string, string>>>();
  const headersOf: HeadersOf = (practice) => {
    const headers = tokens.get(practice) ?? { apikey, authorization: `Bearer ${practice.token}` };
    tokens.set(practice, headers);
    return headers;
  };
  return {
    day: (practice, date) => get(`${path}?date=eq.${date}&order=start_time.asc`, headersOf(practice)),
    list: (practice, from, to) =>
      get(
        `${path}?status=in.(scheduled,confirmed)&date=gte.${from}&date=lte.${to}&order=date.asc,start_time.asc&limit=${LIST_ROWS}`,
        headersOf(practice),
      ),
    book: (practice, booking) => ({
      method: 'POST',
      path,
      headers: { ...headersOf(practice), ...JSON_TYPE },
      body: JSON.stringify(booking),
    }),
    changeStatus: (practice, { id, status }) => ({
      method: 'PATCH',
      path: `${path}?id=eq.${id}`,
      headers: { ...headersOf(practice), ...JSON_TYPE },
      body: JSON.stringify({ status }),
    }),
    ...askingForRecords(headersOf),
  };
}

type HeadersOf = (practice: Practice) => Readonly<Record<string, string>>;

const askingForRecords = (headersOf: HeadersOf): Required<Omit<Asking, keyof AskingForAppointments>> => ({
  search: (practice, text) => get(`${rest}/clients?name=ilike.*${text}*&order=name.asc`, headersOf(practice)),
  notes: (practice, client) =>
    get(
      `${rest}/sessions?client_id=eq.${client}&order=created_at.desc&limit=${NOTE_ROWS}`,
      headersOf(practice),
    ),
  expenses: (practice) => get(`${rest}/expenses?order=date.desc&limit=${EXPENSE_ROWS}`, headersOf(practice)),
  within: (practice, date) =>
    get(`${path}?date=eq.${date}&order=start_time.asc&select=${OF_A_DAY},${SERVICE}`, headersOf(practice)),
  across: (practice, date) =>
    get(
      `${path}?date=eq.${date}&order=start_time.asc&select=${OF_A_DAY},${CLIENT},${SERVICE}`,
      headersOf(practice),
    ),
  count: (practice) =>
    get(`${path}?order=date.asc,start_time.asc&limit=${LIST_ROWS}`, {
      ...headersOf(practice),
      prefer: 'count=exact',
    }),
  csv: (practice) => get(`${rest}/expenses?order=date.desc`, { ...headersOf(practice), accept: 'text/csv' }),
  other: {
    read: (practice, resourceAndQuery) => get(`${rest}/${resourceAndQuery}`, headersOf(practice)),
    write: (practice, resource, row) => ({
      method: 'POST',
      path: `${rest}/${resource}`,
      headers: { ...headersOf(practice), ...JSON_TYPE },
      body: JSON.stringify(row),
    }),
  },
});

/** The bare server. It takes the practice from the URL. */
export const askingBare = (writePath: '/logged' | '/plain'): Asking => ({
  day: ({ id }, date) => get(`/day?practice=${id}&date=${date}`, {}),
  list: ({ id }, from, to) => get(`/list?practice=${id}&from=${from}&to=${to}`, {}),
  book: (practice, booking) => ({
    method: 'POST',
    path: `${writePath}?practice=${practice.id}`,
    headers: JSON_TYPE,
    body: JSON.stringify(booking),
  }),
  changeStatus: (practice, { id, status }) => ({
    method: 'PATCH',
    path: `${writePath}?practice=${practice.id}&id=${id}`,
    headers: JSON_TYPE,
    body: JSON.stringify({ status }),
  }),
  search: ({ id }, text) => get(`/search?practice=${id}&text=${text}`, {}),
  notes: ({ id }, client) => get(`/notes?practice=${id}&client=${client}`, {}),
  expenses: ({ id }) => get(`/expenses?practice=${id}`, {}),
  within: ({ id }, date) => get(`/within?practice=${id}&date=${date}`, {}),
  across: ({ id }, date) => get(`/across?practice=${id}&date=${date}`, {}),
  count: ({ id }) => get(`/count?practice=${id}`, {}),
  csv: ({ id }) => get(`/csv?practice=${id}`, {}),
});

const get = (url: string, headers: Readonly<Record<string, string>>): HttpRequest => ({
  method: 'GET',
  path: url,
  headers,
});
