// An assistant's session: "Can Ada come on Monday at ten?" It finds the client by name, reads the day, books a free
// time, and logs the conversation. Needs the stack (npm start) and nothing but Node.
//   node examples/assistant.mjs
//   EMAIL=demo@example.com PASSWORD=… CLIENT=amara node examples/assistant.mjs     in the demo practice
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const {
  BASE_URL,
  API_KEY,
  DATA_DIR = '.data',
  EMAIL,
  PASSWORD,
  CLIENT = 'ada',
  DATE = '2030-01-07',
} = process.env;
const run = () => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8'));
const api = { baseUrl: BASE_URL ?? run().base_url, key: API_KEY ?? run().apikey, token: undefined };

/** One call. A limit is waited for, as the answer asks; other refusals come back for the caller to decide upon. */
async function call(method, path, body) {
  const headers = { apikey: api.key, 'Content-Type': 'application/json', Prefer: 'return=representation' };
  if (api.token) headers.Authorization = `Bearer ${api.token}`;
  // The same key for every attempt: should an answer be lost on its way, the booking is still made once.
  if (method !== 'GET') headers['Idempotency-Key'] = randomUUID();
  for (;;) {
    const answer = await fetch(`${api.baseUrl}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    if (answer.status !== 429 && answer.status !== 503)
      return { status: answer.status, body: await answer.json() };
    await pause(1000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

async function demand(method, path, body) {
  const answer = await call(method, path, body);
  if (answer.status < 300) return answer.body;
  throw new Error(`${method} ${path}: ${answer.status} ${answer.body.code} ${answer.body.message}`);
}

async function enter() {
  if (EMAIL)
    return demand('POST', '/auth/v1/token?grant_type=password', { email: EMAIL, password: PASSWORD });
  return demand('POST', '/auth/v1/signup', {
    email: `assistant-${randomUUID()}@example.com`,
    password: 'a long pass phrase',
  });
}

/** What a new practice needs before anyone can be booked: a client, and somebody at ten already. */
async function furnish() {
  await demand('POST', '/rest/v1/clients', { name: 'Ada Lovelace' });
  await demand('POST', '/rest/v1/appointments', { date: DATE, start_time: '10:00', end_time: '10:50' });
}

/** The first of the times wished for that nobody has; another caller may still be quicker, which PM002 tells. */
async function book(client, times) {
  const day = await demand(
    'GET',
    `/rest/v1/appointments?date=eq.${DATE}&status=in.(scheduled,confirmed)&order=start_time.asc&select=start_time,end_time`,
  );
  const isFree = ([start, end]) => !day.some((one) => one.start_time < end && start < one.end_time);
  for (const [start_time, end_time] of times.filter(isFree)) {
    const wish = { date: DATE, start_time, end_time, client_id: client.id };
    const { status, body } = await call('POST', '/rest/v1/appointments', wish);
    if (status === 201) return body[0];
    if (body.code !== 'PM002') throw new Error(`${body.code} ${body.message}`);
  }
  return undefined;
}

api.token = (await enter()).access_token;
if (!EMAIL) await furnish();

const asked = `Can ${CLIENT} come on ${DATE} at ten?`;
const [client] = await demand(
  'GET',
  `/rest/v1/clients?name=ilike.*${encodeURIComponent(CLIENT)}*&select=id,name&limit=1`,
);
if (!client) throw new Error(`nobody is called ${CLIENT}`);
const times = Array.from({ length: 8 }, (_, index) => [`${10 + index}:00`, `${10 + index}:50`]);
const booked = await book(client, times);
const answer = booked
  ? `${booked.client_name} is booked on ${booked.date} at ${booked.start_time}.`
  : `Nothing is free on ${DATE} from ten on.`;

await demand('POST', '/rest/v1/conversation_log', [
  { client_id: client.id, role: 'therapist', channel: 'chat', content: asked },
  { client_id: client.id, role: 'assistant', channel: 'chat', content: answer },
]);
const log = await demand(
  'GET',
  `/rest/v1/conversation_log?client_id=eq.${client.id}&order=created_at.desc&limit=50&select=role,content`,
);
console.log(`> ${asked}\n< ${answer}\n${log.length} entries in the log`);
