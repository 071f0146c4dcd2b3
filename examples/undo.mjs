// Undoes the mistakes of an assistant: it cancelled a day, changed the phone number of a client, and recorded an expense. The program
// shows what an undo would do, carries it out, and then undoes one part of it. Needs a running system (npm start) and only Node.
//   node examples/undo.mjs
import { call, rest, signUp } from './api.mjs';

const DATE = '2030-01-07';
const undo = (args, more) => call('POST', '/rest/v1/rpc/undo', args, more);

/** The clients and statuses of the appointments of the day. */
async function state() {
  const day = await rest('GET', `appointments?date=eq.${DATE}&order=start_time&select=client_name,status`);
  return day.map(({ client_name: name, status }) => `${name} ${status}`).join(', ');
}

const { user } = await signUp('undo');
const [ada] = await rest('POST', 'clients', { name: 'Ada Lovelace' });
const times = ['09:00', '10:00', '11:00'].map((start_time) => ({
  ...{ date: DATE, start_time, end_time: start_time.replace('00', '50'), client_id: ada.id },
}));
const booked = await rest('POST', 'appointments', times);
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

const mistakes = { actor_id: user.id, since };
const preview = await undo(mistakes, { Prefer: 'tx=rollback' });
console.log(`an undo has ${preview.json.length} events, and nothing has happened: ${await state()}`);

const undone = await undo(mistakes, { 'Change-Reason': 'the assistant misunderstood' });
for (const { service, resource, event, problem } of undone.json)
  console.log(problem === null ? `  ${resource}: ${event}` : `  ${service}: ${problem.message}`);
console.log(`after: ${await state()}`);

// One part was right after all: an undo is a change, and can be undone.
const changes = undone.headers.get('change-id').split(', ');
const inScheduling = changes.find((change) => change.startsWith('scheduling:'));
await undo({ change_id: inScheduling });
console.log(`again: ${await state()}`);
const history = await rest(
  'GET',
  `appointments_history?id=eq.${booked[0].id}&order=version&select=event,reason,undoes`,
);
for (const { event, reason, undoes } of history)
  console.log(`  ${event}${reason ? ` (${reason})` : ''}${undoes ? `, undoes ${undoes}` : ''}`);
