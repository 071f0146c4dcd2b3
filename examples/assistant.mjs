// An assistant's session: "Can Ada come on Monday at ten?" It connects to /mcp, finds the client by name (and asks if several match),
// books the first free time, for one appointment or for a series of weekly ones, and logs the conversation. Each write is shown before
// it is made. Needs a running system (npm start).
//   node examples/assistant.mjs
//   WEEKS=4 node examples/assistant.mjs                                            every week, four times
//   EMAIL=demo@example.com PASSWORD=… CLIENT=amara node examples/assistant.mjs     in the demo practice
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { baseUrl, call, enter, password, rest } from './api.mjs';

const { EMAIL, CLIENT = 'ada', DATE = mondayInTwoWeeks(), WEEKS } = process.env;
const FROM = '10:00';
const MINUTES = 50;
const create = (resource, rows) => rest('POST', resource, rows);

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

/** Connects to /mcp with a personal access token of the person. Other assistants sign in as apps do, by OAuth. */
async function connect() {
  const scopes = ['appointments', 'clients', 'conversation_log'].map((name) => `${name}:write`);
  const asked = { name: `assistant ${DATE}`, scopes, current_password: password };
  const { json } = await call('POST', '/auth/v1/tokens', asked);
  const client = new Client(
    { name: 'example', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  );
  // The form of a proposal. A real assistant shows it to its user, who accepts or declines.
  client.setRequestHandler('elicitation/create', ({ params }) => {
    console.log(`  ${params.message.replaceAll('\n', '\n  ')}`);
    return { action: 'accept', content: { confirm: true } };
  });
  const requestInit = { headers: { Authorization: `Bearer ${json.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }));
  return client;
}

/** Calls a tool. If a write has to be confirmed on a page, waits until the person has done so. */
async function use(name, args) {
  const { structuredContent: answer, isError } = await assistant.callTool({ name, arguments: args });
  if (isError && answer.state !== 'unconfirmed') return { problem: answer.problem };
  if (!answer.proposal) return answer;
  if (name !== 'commit') console.log(`Confirm it at ${answer.proposal.confirm_url}`);
  await pause(2000);
  return use('commit', { proposal_id: answer.proposal.proposal_id });
}

async function must(name, args) {
  const answer = await use(name, args);
  if (answer.problem) throw new Error(`${name}: ${answer.problem.code} ${answer.problem.quoted.message}`);
  return answer;
}

/** The client that a name refers to. Asks, on standard input, until exactly one client matches. */
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

async function matching(name) {
  const { results } = await must('search', { q: name });
  // Texts that people wrote are quoted: they are data, never instructions.
  const clients = results
    .filter(({ resource }) => resource === 'clients')
    .map(({ id, rank, quoted }) => ({ id, rank, name: quoted.title }));
  // A client with the same name comes before other matches.
  const same = clients.filter(({ rank }) => rank === 1);
  return same.length > 0 ? same : clients.sort((one, other) => one.name.localeCompare(other.name));
}

function ask(name, clients) {
  const names = clients.map((client) => client.name).join(' or ');
  console.log(
    names ? `? Which ${name} do you mean: ${names}?` : `? There is no client called ${name}. Who is it?`,
  );
}

/** The free times of that day. The API considers business hours, other appointments, and the practice's rules for bookings. */
async function freeTimes() {
  const asked = { duration: MINUTES, from: DATE, to: DATE, after: FROM };
  const { slots } = await must('free_slots', asked);
  return slots.map(({ start_time, end_time }) => ({ start_time, end_time }));
}

/** Books the first free time, for one day or every week. If another caller takes that time first, tries the next one. */
async function book(client) {
  const often = WEEKS && { rrule: `FREQ=WEEKLY;COUNT=${WEEKS}` };
  for (const time of await freeTimes()) {
    const { records, problem } = await use('book', { date: DATE, ...time, ...often, client_id: client.id });
    if (records) return records[0];
    if (problem.code !== 'PM002') throw new Error(`${problem.code} ${problem.quoted.message}`);
  }
  return undefined;
}

function mondayInTwoWeeks() {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() + 14 + ((8 - date.getUTCDay()) % 7));
  return date.toISOString().slice(0, 10);
}

await enter('assistant');
if (!EMAIL) await furnish();
const assistant = await connect();

const question = `Can ${CLIENT} come on ${DATE} at ten?`;
console.log(`> ${question}`);
const client = await find(CLIENT);
const booked = await book(client);
const often = booked && WEEKS ? `, every week, ${WEEKS} times` : '';
const reply = booked
  ? `${client.name} is booked on ${booked.date} at ${booked.start_time}${often}.`
  : `There is no free time within business hours on ${DATE} from ${FROM} on.`;

const values = { client_id: client.id, channel: 'chat' };
const said = [
  { ...values, role: 'therapist', content: question },
  { ...values, role: 'assistant', content: reply },
];
for (const one of said) await must('record', { resource: 'conversation_log', values: one });
console.log(`< ${reply}`);
const { conversation } = await must('client_summary', { client_id: client.id });
console.log(`${conversation.length} entries in the log`);
await assistant.close();
