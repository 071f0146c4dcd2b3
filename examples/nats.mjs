// A subscriber outside of this repository, with the plain NATS client. It needs two packages: npm install @nats-io/transport-node @nats-io/jetstream
// It prints the events of appointments, from the first event in the stream on.
//   npm run events -- user reminders       # once: prints the URL of a user that may read events
//   NATS_URL=nats://reminders:…@127.0.0.1:4222 node nats.mjs
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const { hostname, port, username, password } = new URL(process.env.NATS_URL);
const [user, pass] = [username, password].map(decodeURIComponent);
const connection = await connect({
  ...{ servers: `${hostname}:${port || 4222}`, user, pass },
  // A user receives replies and messages in an inbox that no other user can read.
  inboxPrefix: `_INBOX.${user}`,
});

// The user may not read the state of the account, which the client would check first.
const options = { checkAPI: false };
const manager = await jetstreamManager(connection, options);
// A durable pull consumer: NATS stores its position. Its name must be the name of the user.
await manager.consumers.add('PRACTICE_EVENTS', {
  durable_name: user,
  ack_policy: AckPolicy.Explicit,
  filter_subject: 'practice.events.scheduling.*.appointment.*',
  // One message at a time keeps the order of each practice, even when a message is delivered again.
  max_ack_pending: 1,
});
const consumer = await jetstream(connection, options).consumers.get('PRACTICE_EVENTS', user);
const messages = await consumer.consume({ max_messages: 1 });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => messages.close());
console.log('listening');

for await (const message of messages) {
  const { type, subject, therapistid, position } = message.json();
  // A message can be delivered twice. Store (therapistid, position) with its effect, and ignore one that is stored.
  console.log(`${therapistid} ${position} ${type} ${subject}`);
  message.ack();
}
await connection.drain();
