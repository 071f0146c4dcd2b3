// A reminder service: it gets the appointments that are booked by a webhook. The service comes first; the rest books one.
// Needs a running system (npm start). In production, the URL is https.
//   node examples/webhook.mjs
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

const seen = new Set();
let secret;

const service = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    new Webhook(secret).verify(body, request.headers);
  } catch {
    return response.writeHead(401).end();
  }
  // The same event can come twice.
  const { id, type, data } = JSON.parse(body);
  if (!seen.has(id)) console.log(`${type}: a reminder is planned for ${data.date} ${data.start_time}`);
  seen.add(id);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(service, 'listening');

const { BASE_URL, API_KEY, DATA_DIR = '.data' } = process.env;
const run = () => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8'));
const headers = { apikey: API_KEY ?? run().apikey, 'Content-Type': 'application/json' };

async function post(path, body) {
  const options = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${BASE_URL ?? run().base_url}${path}`, options);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const account = { email: `webhook-${randomUUID()}@example.com`, password: 'a long pass phrase' };
headers.Authorization = `Bearer ${(await post('/auth/v1/signup', account)).access_token}`;
headers.Prefer = 'return=representation';
const url = `http://127.0.0.1:${service.address().port}/`;
const [made] = await post('/rest/v1/webhooks', { url, event_types: ['AppointmentScheduled'] });
({ secret } = made);
await post('/rest/v1/appointments', { date: '2030-01-07', start_time: '09:00', end_time: '09:50' });
while (seen.size === 0) await setTimeout(20);
service.close();
service.closeIdleConnections();
