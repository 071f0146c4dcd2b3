// Reads data as of an earlier time: how did the calendar of a day look when the client called last week? The program books a day,
// changes it, and reads it as it was. Needs a running system (npm start) and only Node.
//   node examples/as-of.mjs
import { call, rest, signUp } from './api.mjs';

const DATE = '2030-01-07';

/** The calendar of the day, now or as of an instant. */
async function calendar(asOf) {
  const day = `appointments?date=eq.${DATE}&order=start_time&select=start_time,status,client_name,clients(phone)`;
  const { json, headers } = await call('GET', `/rest/v1/${asOf ? `${day}&as_of=${asOf}` : day}`);
  console.log(asOf ? `as of ${headers.get('memento-datetime')}:` : 'now:');
  for (const { start_time: time, status, client_name: name, clients } of json)
    console.log(`  ${time} ${name} (${clients?.phone}) ${status}`);
}

await signUp('as-of');
const [ada] = await rest('POST', 'clients', { name: 'Ada Lovelace', phone: '1' });
const times = ['09:00', '10:00'].map((start_time) => ({
  ...{ date: DATE, start_time, end_time: start_time.replace('00', '50'), client_id: ada.id },
}));
const [first, second] = await rest('POST', 'appointments', times);

// The history has the instant of each change: the state as of it is the state after the change.
const [{ at: booked }] = await rest('GET', `appointments_history?id=eq.${first.id}&select=at`);

await rest('PATCH', `appointments?id=eq.${first.id}`, { status: 'cancelled' });
await rest('DELETE', `appointments?id=eq.${second.id}`);
await rest('PATCH', `clients?id=eq.${ada.id}`, { phone: '2' });

await calendar(encodeURIComponent(booked));
await calendar();

// Clients that can only set headers send a preference.
const before = new Date(Date.parse(booked) - 1).toISOString();
const earlier = await rest('GET', 'appointments', undefined, { Prefer: `as-of="${before}"` });
console.log(`before that: ${earlier.length} appointments`);
