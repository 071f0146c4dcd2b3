import type { Page, Request } from 'playwright-core';
import { eventually } from './eventually.js';

/** A screen draws its answers and may then send more requests, so it is usually complete after this time without a request. */
const QUIET_MS = 300;

const followed = new WeakMap<Page, { readonly running: Set<Request>; changed: number }>();

/** Notes the requests of a page from now on, for `quiet`. @returns the page */
export function followRequests(page: Page): Page {
  const running = new Set<Request>();
  const requests = { running, changed: Date.now() };
  followed.set(page, requests);
  page.on('request', (request) => {
    // The page that is left does not wait for answers any more.
    if (request.isNavigationRequest()) running.clear();
    running.add(request);
    requests.changed = Date.now();
  });
  const ended = (request: Request): void => {
    running.delete(request);
    requests.changed = Date.now();
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return page;
}

/**
 * Waits until a page has the answers to its requests, and sends no more. Its elements are then usually replaced only after a new change.
 * The load state `networkidle` ends this wait at once: it stays reached when only the hash of the address changes.
 */
export const quiet = (page: Page): Promise<true> =>
  eventually('the page has its answers', () => {
    const requests = followed.get(page);
    if (requests === undefined) throw new Error('followRequests has not been called for this page');
    return requests.running.size === 0 && Date.now() - requests.changed >= QUIET_MS;
  });
