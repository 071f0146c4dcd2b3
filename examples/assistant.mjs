// An assistant's session: "Can Ada come on Monday at ten?" It finds the client by name (and asks if several match), books the
// first free time, for one appointment or for a series of weekly ones, and logs the conversation. Needs a running system (npm start)
// and only Node.
//   node examples/assistant.mjs
//   WEEKS=10 node examples/assistant.mjs                                           every week, ten times
//   EMAIL=demo@example.com PASSWORD=… CLIENT=amara node examples/assistant.mjs     in the demo practice
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const { BASE_URL, API_KEY, DATA_DIR = '.data', EMAIL, PASSWORD } = process.env;
const { CLIENT = 'ada', DATE = mondayInTwoWeeks(), WEEKS } = process.env;
const FROM = '10:00';
const MINUTES = 50;
const run = () => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8'));
const api = { baseUrl: BASE_URL ?? run().base_url, key: API_KEY ?? run().apikey, token: undefined };

/** One call. Waits and retries if the API asks for it; the caller handles every other error. */
async function call(method, path, body) {
  const headers = { apikey: api.key, 'Content-Type': 'application/json', Prefer: 'return=representation' };
  if (api.token) headers.Authorization = `Bearer ${api.token}`;
  // Every attempt has the same key: if a response is lost, the booking is still made only once.
  if (method !== 'GET') headers['Idempotency-Key'] = randomUUID();
  for (;;) {
    const options = { method, headers, body: body && JSON.stringify(body) };
    const response = await fetch(`${api.baseUrl}${path}`, options);
    if (response.status !== 429 && response.status !== 503)
      return { status: response.status, body: await response.json() };
    await pause(1000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

async function demand(method, path, body) {
  const response = await call(method, path, body);
  if (response.status < 300) return response.body;
  throw new Error(`${method} ${path}: ${response.status} ${response.body.code} ${response.body.message}`);
}

const read = (path) => demand('GET', `/rest/v1/${path}`);
const create = (resource, rows) => demand('POST', `/rest/v1/${resource}`, rows);

async function enter() {
  if (EMAIL)
    return demand('POST', '/auth/v1/token?grant_type=password', { email: EMAIL, password: PASSWORD });
  const email = `assistant-${randomUUID()}@example.com`;
  return demand('POST', '/auth/v1/signup', { email, password: 'a long pass phrase' });
}

/** Data for a new practice: two clients called Ada, business hours, and two appointments on the morning in question. */
async function furnish() {
  await create('clients', [{ name: 'Ada Lovelace' }, { name: 'Ada Byron' }]);
  await create('business_hours', [
    { day_of_week: 'monday', open_time: '09:00', close_time: '12:30' },
    { day_of_week: 'monday', open_time: '13:30', close_time: '18:00' },
  ]);
  await create('appointments', [
    { date: DATE, start_time: '10:00', end_time: '10:50' },
    { date: DATE, start_time: '11:00', end_time: '11:50' },
  ]);
}

/** The client meant by a name. Asks, on standard input, until exactly one client matches. */
async function find(name) {
  let clients = await matching(name);
  if (clients.length === 1) return clients[0];
  const lines = createInterface({ input: process.stdin });
  ask(name, clients);
  for await (const answer of lines) {
    clients = await matching(answer.trim());
    if (clients.length === 1) return clients[0];
    ask(answer.trim(), clients);
  }
  throw new Error('no client was chosen, so nothing is booked');
}

const matching = (name) =>
  read(
    `clients?name=ilike.*${encodeURIComponent(name)}*&status=eq.active&order=name&select=id,name&limit=10`,
  );

function ask(name, clients) {
  const names = clients.map((client) => client.name).join(' or ');
  console.log(
    names ? `? Which ${name} do you mean: ${names}?` : `? There is no client called ${name}. Who is it?`,
  );
}

/** The free times of that day. The API considers business hours, other appointments, and the practice's rules for bookings. */
const freeTimes = () =>
  read(`rpc/free_slots?duration=${MINUTES}&from=${DATE}&to=${DATE}&after=${FROM}&select=start_time,end_time`);

/** Books the first free time. Another caller may be faster: then the API returns PM002 and the next time is tried. */
async function book(client) {
  for (const time of await freeTimes()) {
    const row = { date: DATE, ...time, client_id: client.id };
    const { status, body } = await call('POST', '/rest/v1/appointments', row);
    if (status === 201) return body[0];
    if (body.code !== 'PM002') throw new Error(`${body.code} ${body.message}`);
  }
  return undefined;
}

/** Books the first free time of that day in each of the weeks. The weeks in which it is taken are left out. */
async function bookSeries(client) {
  const [time] = await freeTimes();
  if (!time) return undefined;
  const rrule = `FREQ=WEEKLY;COUNT=${WEEKS}`;
  const row = { rrule, date: DATE, ...time, client_id: client.id, on_conflict: 'skip' };
  const [series] = await create('appointment_series', row);
  return { ...series, client_name: client.name };
}

function mondayInTwoWeeks() {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() + 14 + ((8 - date.getUTCDay()) % 7));
  return date.toISOString().slice(0, 10);
}

api.token = (await enter()).access_token;
if (!EMAIL) await furnish();

const question = `Can ${CLIENT} come on ${DATE} at ten?`;
console.log(`> ${question}`);
const client = await find(CLIENT);
const booked = WEEKS ? await bookSeries(client) : await book(client);
const often = booked?.rrule ? `, every week, ${WEEKS - booked.skipped.length} times` : '';
const reply = booked
  ? `${booked.client_name} is booked on ${booked.date} at ${booked.start_time}${often}.`
  : `There is no free time within business hours on ${DATE} from ${FROM} on.`;
console.log(`< ${reply}`);

await create('conversation_log', [
  { client_id: client.id, role: 'therapist', channel: 'chat', content: question },
  { client_id: client.id, role: 'assistant', channel: 'chat', content: reply },
]);
const log = await read(
  `conversation_log?client_id=eq.${client.id}&order=created_at.desc&limit=50&select=role,content`,
);
console.log(`${log.length} entries in the log`);
