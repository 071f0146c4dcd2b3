// An integration that listens: tells of every appointment that is booked, completed or cancelled, also of those while it
// was away. Needs the stack (npm start); it listens on NATS, so it runs inside, beside the services.
//   node examples/subscriber.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { subscribe } from '@practice/events';
import { connect } from '@practice/messaging';

const { NATS_URL, NAME = 'example-integration', DATA_DIR = '.data' } = process.env;
const url = NATS_URL ?? JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8')).nats_url;

const connection = await connect({ url, name: NAME, logger: console });
const subscription = await subscribe({
  connection,
  name: NAME,
  events: ['AppointmentScheduled', 'AppointmentCompleted', 'AppointmentCancelled'],
  handler: async ({ type, streamId, position, data }) => {
    // A client's name is no business of a log: what happened and to which record is.
    console.log(`${position} ${type} ${streamId} ${data.date ?? ''}`.trim());
  },
});
console.log('listening');

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => subscription.stop().then(() => connection.close()));
