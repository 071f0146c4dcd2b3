import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.js';

const KEY = 'idempotency-key';

/**
 * A `fetch` for supabase-js, which repeats reads, writes of records and sign-ins that a busy machine answers too late. Writes get an
 * Idempotency-Key, so that they are carried out once. A sign-in may be carried out twice. Other calls of the auth API are not repeated
 * after 504.
 */
export async function patientFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  const headers = new Headers(init.headers);
  const { method = 'GET' } = init;
  if (url.includes('/rest/v1/') && !['GET', 'HEAD'].includes(method) && !headers.has(KEY))
    headers.set(KEY, randomUUID());
  const isSignIn = url.includes('grant_type=password');
  return eventually(`${method} ${url} is answered`, async () => {
    const response = await fetch(input, { ...init, headers });
    const { status } = response;
    if (status === 503 || (status === 504 && isSignIn)) return undefined;
    // The first request with this key is still running.
    if (status === 409 && (await response.clone().text()).includes('PM005')) return undefined;
    return response;
  });
}
