import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 5;
const RETRY_AFTER_MS = 1000;
/** Unavailable, or the first attempt is still running. */
const isWorthRetrying = (status: number): boolean => status === 503 || status === 409;

type Headers = Readonly<Record<string, string>>;

/** A POST to the product, as `sent`. */
export const post = (url: string, headers: Headers, body: unknown): Promise<unknown> =>
  sent('POST', url, { headers, body });

/** A PATCH to the product, as `sent`. */
export const patch = (url: string, headers: Headers, body: unknown): Promise<unknown> =>
  sent('PATCH', url, { headers, body });

/**
 * A call to the product that must succeed. Returns the parsed JSON, if there is any. On a busy machine a request may time
 * out: it is retried under the same key, so that it is carried out once.
 */
async function sent(
  method: string,
  url: string,
  { headers, body }: { readonly headers: Headers; readonly body: unknown },
): Promise<unknown> {
  const all = { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { method, headers: all, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    if (attempt === ATTEMPTS || !isWorthRetrying(response.status))
      throw new Error(
        `${method} ${new URL(url).pathname} returned ${response.status}: ${text.slice(0, 300)}`,
      );
    await pause(RETRY_AFTER_MS);
  }
}
