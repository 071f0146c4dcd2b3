// An assistant that made a mistake is taken back: it cancelled a day and renamed a client. The program shows what an undo would do,
// does it, and undoes one change of it again. Needs a running system (npm start) and only Node.
//   node examples/undo.mjs
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
  return { json, change: response.headers.get('change-id') };
}

const rest = (method, path, body, more) => call(method, `/rest/v1/${path}`, body, more);
const undo = (args, more) => rest('POST', 'rpc/undo', args, { 'Idempotency-Key': randomUUID(), ...more });

/** The clients and statuses of the appointments of the day. */
async function state() {
  const day = await rest('GET', `appointments?date=eq.${DATE}&order=start_time&select=client_name,status`);
  return day.json.map(({ client_name: name, status }) => `${name} ${status}`).join(', ');
}

const email = `undo-${randomUUID()}@example.com`;
const signedUp = await call('POST', '/auth/v1/signup', { email, password: 'a long pass phrase' });
api.token = signedUp.json.access_token;
const [ada] = (await rest('POST', 'clients', { name: 'Ada Lovelace' })).json;
const times = ['09:00', '10:00', '11:00'].map((start_time) => ({
  ...{ date: DATE, start_time, end_time: start_time.replace('00', '50'), client_id: ada.id },
}));
const booked = (await rest('POST', 'appointments', times)).json;
console.log(`before: ${await state()}`);

// The assistant acts for the user. From now on, it makes mistakes.
const since = new Date(Date.parse(booked[0].updated_at) + 1).toISOString();
await rest(
  'PATCH',
  `appointments?date=eq.${DATE}`,
  { status: 'cancelled' },
  { 'Change-Reason': 'assistant' },
);
await rest('PATCH', `clients?id=eq.${ada.id}`, { phone: '0' }, { 'Change-Reason': 'assistant' });
await rest('POST', 'expenses', { date: DATE, amount: 9999, category: 'other' });
console.log(`mistake: ${await state()}`);

const mistakes = { actor_id: signedUp.json.user.id, since };
const preview = await undo(mistakes, { Prefer: 'tx=rollback' });
console.log(`an undo has ${preview.json.length} events, and nothing has happened: ${await state()}`);

const undone = await undo(mistakes, { 'Change-Reason': 'the assistant misunderstood' });
for (const { service, resource, event, problem } of undone.json)
  console.log(problem === null ? `  ${resource}: ${event}` : `  ${service}: ${problem.message}`);
console.log(`after: ${await state()}`);

// One part was right after all: an undo is a change, and can be undone.
const inScheduling = undone.change.split(', ').find((change) => change.startsWith('scheduling:'));
await undo({ change_id: inScheduling });
console.log(`again: ${await state()}`);
const history = await rest(
  'GET',
  `appointments_history?id=eq.${booked[0].id}&order=version&select=event,reason,undoes`,
);
for (const { event, reason, undoes } of history.json)
  console.log(`  ${event}${reason ? ` (${reason})` : ''}${undoes ? `, undoes ${undoes}` : ''}`);
