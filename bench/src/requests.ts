// How each side wants to be asked for the same four things.

import type { Booking } from './calendar.js';
import type { HttpRequest } from './load/protocol.js';
import type { Practice } from './seed/seed.js';
import { LIST_ROWS } from './sizes.js';

export interface Asking {
  day(practice: Practice, date: string): HttpRequest;
  list(practice: Practice, from: string, to: string): HttpRequest;
  book(practice: Practice, booking: Booking): HttpRequest;
  changeStatus(practice: Practice, change: { readonly id: string; readonly status: string }): HttpRequest;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const path = '/rest/v1/appointments';

/** The product, as its callers ask it. */
export function askingProduct(apikey: string): Asking {
  const tokens = new WeakMap<Practice, Readonly<Record<string, string>>>();
  const headersOf = (practice: Practice): Readonly<Record<string, string>> => {
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
  };
}

/** The bare server, which believes who asks. */
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
});

const get = (url: string, headers: Readonly<Record<string, string>>): HttpRequest => ({
  method: 'GET',
  path: url,
  headers,
});
