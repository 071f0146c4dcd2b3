// Makes the same requests for each side.

import { statementOf } from './baseline/sql.js';
import type { HttpRequest } from './load/protocol.js';
import type { Read } from './reads.js';
import type { Practice } from './seed/seed.js';

export interface Asking {
  read(practice: Practice, read: Read): HttpRequest;
  post(practice: Practice, resource: string, row: object): HttpRequest;
  changeStatus(practice: Practice, change: { readonly id: string; readonly status: string }): HttpRequest;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests to the product, as its callers send them. */
export function askingProduct(apikey: string): Asking {
  const headersOf = ({ token }: Practice) => ({ apikey, authorization: `Bearer ${token}` });
  const writing = (practice: Practice, body: object) => ({
    headers: { ...headersOf(practice), ...JSON_TYPE },
    body: JSON.stringify(body),
  });
  return {
    read: (practice, { url, headers }) => ({
      method: 'GET',
      path: `/rest/v1/${url}`,
      headers: { ...headersOf(practice), ...headers },
    }),
    post: (practice, resource, row) => ({
      method: 'POST',
      path: `/rest/v1/${resource}`,
      ...writing(practice, row),
    }),
    changeStatus: (practice, { id, status }) => ({
      method: 'PATCH',
      path: `/rest/v1/appointments?id=eq.${id}`,
      ...writing(practice, { status }),
    }),
  };
}

/** Requests to the bare server, which takes the values of its statement from the URL, and writes only appointments. */
export const askingBare: Asking = {
  read: ({ id }, read) => ({
    method: 'GET',
    path: `/${read.name}?values=${encodeURIComponent(JSON.stringify(statementOf(id, read).values))}`,
    headers: {},
  }),
  post: ({ id }, _resource, row) => ({
    method: 'POST',
    path: `/appointments?practice=${id}`,
    headers: JSON_TYPE,
    body: JSON.stringify(row),
  }),
  changeStatus: (practice, { id, status }) => ({
    method: 'PATCH',
    path: `/appointments?practice=${practice.id}&id=${id}`,
    headers: JSON_TYPE,
    body: JSON.stringify({ status }),
  }),
};
