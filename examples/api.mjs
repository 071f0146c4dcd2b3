// Calls of the API, sign-in and sign-up, for all programs. The URL and the key of the API come from BASE_URL and API_KEY, or from
// run.json in DATA_DIR (.data). Needs only Node.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const { BASE_URL, API_KEY, DATA_DIR = '.data', EMAIL, PASSWORD = 'a long pass phrase' } = process.env;
const run = () => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8'));
export const baseUrl = BASE_URL ?? run().base_url;
export const apikey = () => API_KEY ?? run().apikey;
export const password = PASSWORD;
let token;

/** The highest number of times that a call is sent. */
const ATTEMPTS = 10;

/**
 * Calls the API, after `enter` or `signUp` with the token of the person. A call that is refused for now is sent again after the time in
 * the response. Its Idempotency-Key stays the same, so a write is carried out once. Throws unless the call succeeds.
 */
export async function call(method, path, body, more) {
  const headers = { apikey: apikey(), 'Content-Type': 'application/json', Prefer: 'return=representation' };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (method !== 'GET') headers['Idempotency-Key'] = randomUUID();
  const options = { method, headers: { ...headers, ...more }, body: body && JSON.stringify(body) };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${baseUrl}${path}`, options);
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
    const json = isJson ? JSON.parse(text) : undefined;
    if (response.ok) return { json, headers: response.headers };
    // PM005: the first attempt is still running.
    const after = response.headers.get('retry-after') ?? (json?.code === 'PM005' ? 1 : null);
    if (after === null || attempt === ATTEMPTS)
      throw new Error(`${method} ${path}: ${response.status} ${json?.code ?? ''} ${json?.message ?? text}`);
    await wait(Number(after) * 1_000);
  }
}

/** Calls the data API. Returns the records, or the result of a function. */
export const rest = async (method, path, body, more) =>
  (await call(method, `/rest/v1/${path}`, body, more)).json;

async function begin(path, account) {
  const { json: session } = await call('POST', `/auth/v1/${path}`, account);
  token = session.access_token;
  return session;
}

/** Signs up, with a new practice. @param name of the program */
export const signUp = (name) => begin('signup', { email: `${name}-${randomUUID()}@example.com`, password });

/** Signs in with EMAIL and PASSWORD, or signs up if EMAIL is not set. */
export const enter = (name) =>
  EMAIL ? begin('token?grant_type=password', { email: EMAIL, password }) : signUp(name);
