// A question of last week is answered as of last week: how did the calendar of a day look when the client called? The program books
// a day, changes it, and reads it as it was. Needs a running system (npm start) and only Node.
//   node examples/as-of.mjs
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { BASE_URL, API_KEY, DATA_DIR = '.data' } = process.env;
const run = () => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8'));
const api = { baseUrl: BASE_URL ?? run().base_url, key: API_KEY ?? run().apikey, token: undefined };
const DATE = '2030-01-07';

/** One call; fails unless it succeeds. */
async function call(method, path, body, more = {}) {
  const headers = { apikey: api.key, 'Content-Type': 'application/json', Prefer: 'return=representation' };
  if (api.token) headers.Authorization = `Bearer ${api.token}`;
  const options = { method, headers: { ...headers, ...more }, body: body && JSON.stringify(body) };
  const response = await fetch(`${api.baseUrl}${path}`, options);
  const json = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${json.code} ${json.message}`);
  return { json, headers: response.headers };
}

const rest = (method, path, body, more) => call(method, `/rest/v1/${path}`, body, more);

/** The calendar of the day, now or as of an instant. */
async function calendar(asOf) {
  const day = `appointments?date=eq.${DATE}&order=start_time&select=start_time,status,client_name,clients(phone)`;
  const { json, headers } = await rest('GET', asOf ? `${day}&as_of=${asOf}` : day);
  console.log(asOf ? `as of ${headers.get('memento-datetime')}:` : 'now:');
  for (const { start_time: time, status, client_name: name, clients } of json)
    console.log(`  ${time} ${name} (${clients?.phone}) ${status}`);
}

const email = `as-of-${randomUUID()}@example.com`;
const signedUp = await call('POST', '/auth/v1/signup', { email, password: 'a long pass phrase' });
api.token = signedUp.json.access_token;
const [ada] = (await rest('POST', 'clients', { name: 'Ada Lovelace', phone: '1' })).json;
const times = ['09:00', '10:00'].map((start_time) => ({
  ...{ date: DATE, start_time, end_time: start_time.replace('00', '50'), client_id: ada.id },
}));
const [first, second] = (await rest('POST', 'appointments', times)).json;

// The history has the instant of each change: the state as of it is the state after the change.
const [{ at: booked }] = (await rest('GET', `appointments_history?id=eq.${first.id}&select=at`)).json;

await rest('PATCH', `appointments?id=eq.${first.id}`, { status: 'cancelled' });
await rest('DELETE', `appointments?id=eq.${second.id}`);
await rest('PATCH', `clients?id=eq.${ada.id}`, { phone: '2' });

await calendar(encodeURIComponent(booked));
await calendar();

// Clients that can only set headers send a preference.
const before = new Date(Date.parse(booked) - 1).toISOString();
const { json } = await rest('GET', 'appointments', undefined, { Prefer: `as-of="${before}"` });
console.log(`before that: ${json.length} appointments`);
