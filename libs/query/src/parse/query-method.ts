// QUERY (RFC 10008): a read whose query string is its body, for queries that are too long for a URL.

import { problemFor, reject } from '@practice/core';
import { mediaType, textIn } from './body.js';
import type { RestRequest } from './request.js';

/** The name of the method. */
export const QUERY = 'QUERY';
const FORM = 'application/x-www-form-urlencoded';

/**
 * The GET that a QUERY stands for: the parameters of its URL, then the parameters of its body. Other requests stay as they are.
 * @throws {Rejection} PGRST102 for a body of another type, or that is not UTF-8
 */
export function asGet(request: RestRequest): RestRequest {
  if (request.method !== QUERY) return request;
  const type = mediaType(request.headers['content-type']);
  if (request.body.length > 0 && type !== FORM)
    reject(notAForm(`Content-Type not acceptable: ${type.slice(0, 100)}`));
  const text = textIn(request.body) ?? reject(notAForm('The body is not UTF-8'));
  const parameters = [request.query, text.trim()].filter((part) => part !== '');
  return { ...request, method: 'GET', query: parameters.join('&'), body: new Uint8Array() };
}

const notAForm = (message: string) =>
  problemFor('PGRST102', { message, hint: `The body of a QUERY is a query string, as ${FORM}.` });
