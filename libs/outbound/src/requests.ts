import { type ClientRequest, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AddressPolicy, guardedLookup, type Resolve, urlProblem } from './addresses.js';

/**
 * Opens requests to user-supplied URLs. Each has its own connection, so a receiver cannot affect other requests.
 * @returns a function that returns the request, or why its URL is refused, as a clause
 */
export function guardedRequests(policy: AddressPolicy, resolve: Resolve) {
  const lookup = guardedLookup(resolve, policy);
  return (url: string, options: RequestOptions): ClientRequest | string => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    return urlProblem(url, policy) ?? request(url, { ...options, agent: false, lookup });
  };
}
