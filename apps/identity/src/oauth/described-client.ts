// Clients that describe themselves, in a metadata document or by registering.

import { isLoopbackUri } from '../notices/loopback-uris.js';
import { isUnprotectedUri } from './redirect-uris.js';

/** Thrown when a client asks for answers at an address where others can read them. */
export class UnprotectedRedirect extends Error {
  constructor() {
    super('redirect_uris must be https, or http on the machine of the user');
  }
}

/**
 * The metadata in the form that the library reads. A client with an address on the machine of the user becomes a native app, so that
 * the address matches with any port.
 * @param defaults members that the metadata may lack
 * @returns the same text if it is no JSON object; the library refuses it
 * @throws {UnprotectedRedirect} when an answer would go to another machine without TLS
 */
export function describedText(text: string, defaults: object = {}): string {
  const described = objectOf(text);
  if (described === undefined) return text;
  const { redirect_uris: named } = described;
  const uris = Array.isArray(named) ? named.filter((uri) => typeof uri === 'string') : [];
  if (uris.some(isUnprotectedUri)) throw new UnprotectedRedirect();
  const kind = uris.some(isLoopbackUri) ? { application_type: 'native' } : {};
  return JSON.stringify({ ...defaults, ...described, ...kind });
}

function objectOf(text: string): { readonly redirect_uris?: unknown } | undefined {
  try {
    const value = JSON.parse(text) as object | null;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
