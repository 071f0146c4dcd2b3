// An integration that subscribes to events: prints every appointment that is booked, completed or cancelled, including the
// events it missed while it was offline. Needs a running system (npm start). It connects to NATS, so it runs inside.
//   node examples/subscriber.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, subscribe } from '@practice/bus';

const { NATS_URL, NAME = 'example-integration', DATA_DIR = '.data' } = process.env;
const url = NATS_URL ?? JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8')).nats_url;

const connection = await connect({ url, name: NAME, logger: console });
const subscription = await subscribe({
  connection,
  name: NAME,
  events: ['AppointmentScheduled', 'AppointmentCompleted', 'AppointmentCancelled'],
  handler: async ({ type, streamId, position, data }) => {
    // Log the event and the record's id, never a client's name.
    console.log(`${position} ${type} ${streamId} ${data.date ?? ''}`.trim());
  },
});
console.log('listening');

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => subscription.stop().then(() => connection.close()));
