// A reminder service: a webhook sends it the appointments that are booked. The service comes first. The rest books an appointment.
// Needs a running system (npm start). In production, the URL is https.
//   node examples/webhook.mjs
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { rest, signUp } from './api.mjs';

const seen = new Set();
let secret;

const service = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    new Webhook(secret).verify(body, request.headers);
  } catch {
    return response.writeHead(401).end();
  }
  // The same event can arrive twice.
  const { id, type, data } = JSON.parse(body);
  if (!seen.has(id)) console.log(`${type}: a reminder is planned for ${data.date} ${data.start_time}`);
  seen.add(id);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(service, 'listening');

await signUp('webhook');
const url = `http://127.0.0.1:${service.address().port}/`;
const [made] = await rest('POST', 'webhooks', { url, event_types: ['AppointmentScheduled'] });
({ secret } = made);
await rest('POST', 'appointments', { date: '2030-01-07', start_time: '09:00', end_time: '09:50' });
while (seen.size === 0) await setTimeout(20);
service.close();
service.closeIdleConnections();
