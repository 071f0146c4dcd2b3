// The addresses that answers for a client may go to.

import { isLoopbackUri } from '../notices/loopback-uris.js';

/** Whether answers to a URI travel over the network without TLS. */
export const isUnprotectedUri = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'http:' && !isLoopbackUri(text);

/** Why a redirect URI is refused, as a clause; undefined if it is not. */
export function redirectProblem(text: string): string | undefined {
  if (text.length > 2048) return 'it has more than 2,048 characters';
  if (!URL.canParse(text)) return 'it is no URL';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && !isLoopbackUri(text))
    return 'its scheme must be https, or http on this machine';
  if (username !== '' || password !== '') return 'it must not contain credentials';
  return text.includes('#') ? 'it must not contain a fragment' : undefined;
}
