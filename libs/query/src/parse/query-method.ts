// QUERY (RFC 10008): a read whose query string is its body, for queries that are too long for a URL.

import { problemFor, reject } from '@practice/core';
import { mediaType } from './body.js';
import type { RestRequest } from './request.js';

/** The name of the method. */
export const QUERY = 'QUERY';
const FORM = 'application/x-www-form-urlencoded';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The GET that a QUERY stands for: the parameters of its URL, then the parameters of its body. Other requests stay as they are.
 * @throws {Rejection} PGRST102 for a body of another type, or that is not UTF-8
 */
export function asGet(request: RestRequest): RestRequest {
  if (request.method !== QUERY) return request;
  const type = mediaType(request.headers['content-type']);
  if (request.body.length > 0 && type !== FORM)
    reject(notAForm(`Content-Type not acceptable: ${type.slice(0, 100)}`));
  const parameters = [request.query, decoded(request.body).trim()].filter((text) => text !== '');
  return { ...request, method: 'GET', query: parameters.join('&'), body: new Uint8Array() };
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return reject(notAForm('The body is not UTF-8'));
  }
}

const notAForm = (message: string) =>
  problemFor('PGRST102', { message, hint: `The body of a QUERY is a query string, as ${FORM}.` });
