// The kinds of requests of the load, and their effects.
import { randomUUID } from 'node:crypto';
import { bill } from './billing.js';
import type { Caller } from './persist.js';
import { amountOf, change, effectOf, insert, oneOf, read, taken, whole } from './requests.js';
import type { Operation } from './worker.js';

const ofClient = effectOf('clients', 'clients');
const ofExpense = effectOf('finance', 'expenses');
const ofAppointment = effectOf('scheduling', 'appointments');
const ofNote = effectOf('clinical_notes', 'sessions');

const newName = (): string => `Client ${randomUUID()}`;

const registerClient: Operation = (_caller, { clients }) => {
  const body = { id: randomUUID(), name: newName() };
  return {
    ...insert('clients', body),
    effects: [ofClient('ClientRegistered', body.id, { name: body.name })],
    remember: () => void clients.push(body.id),
  };
};

const renameClient: Operation = (caller, { clients }) => {
  const id = oneOf(caller, clients);
  if (id === undefined) return undefined;
  const name = newName();
  return { ...change('clients', id, { name }), effects: [ofClient('ClientRenamed', id, { name })] };
};

/** The time of an appointment by its index: twelve times on each day. */
const timeOf = (index: number): Record<string, string> => {
  const date = new Date(Date.UTC(2032, 0, 1 + Math.floor(index / 12))).toISOString().slice(0, 10);
  const hour = String(8 + (index % 12)).padStart(2, '0');
  return { date, start_time: `${hour}:00:00`, end_time: `${hour}:50:00` };
};

/** Books an appointment. Each time is requested twice, so one of the two requests may be refused. */
const book: Operation = (caller, { clients, booked, times }) => {
  const client = oneOf(caller, clients);
  if (client === undefined) return undefined;
  const body = { id: randomUUID(), client_id: client, ...timeOf(Math.floor(times.next++ / 2)) };
  return {
    ...insert('appointments', body),
    refusal: 'PM002',
    effects: [ofAppointment('AppointmentScheduled', body.id, { client_id: client, status: 'scheduled' })],
    remember: () => void booked.push({ id: body.id, client }),
  };
};

const moveOn =
  (status: string, type: string): Operation =>
  (caller, { booked }) => {
    const appointment = taken(caller, booked);
    if (appointment === undefined) return undefined;
    const { id, client } = appointment;
    return {
      ...change('appointments', id, { status }),
      effects: [ofAppointment(type, id, { status })],
      reactions: status === 'completed' ? [ofClient('ClientVisitCounted', client, {})] : [],
    };
  };

const complete = moveOn('completed', 'AppointmentCompleted');
const cancel = moveOn('cancelled', 'AppointmentCancelled');

const expenseOf = (caller: Caller): { id: string; date: string; amount: string } => ({
  id: randomUUID(),
  date: '2026-01-05',
  amount: amountOf(caller),
});

const recordExpenses =
  (count: number): Operation =>
  (caller, { expenses }) => {
    const body = Array.from({ length: count }, () => expenseOf(caller));
    return {
      ...insert('expenses', body),
      effects: body.map(({ id, amount }) => ofExpense('ExpenseRecorded', id, { amount })),
      remember: () => void expenses.push(...body.map(({ id }) => id)),
    };
  };

const correctExpense: Operation = (caller, { expenses }) => {
  const id = oneOf(caller, expenses);
  if (id === undefined) return undefined;
  const amount = `-${amountOf(caller)}`;
  return {
    ...change('expenses', id, { amount, vendor: randomUUID() }),
    effects: [ofExpense('ExpenseCorrected', id, { amount })],
  };
};

const deleteExpense: Operation = (caller, { expenses }) => {
  const id = taken(caller, expenses);
  if (id === undefined) return undefined;
  return {
    request: { method: 'DELETE', path: `/rest/v1/expenses?id=eq.${id}`, headers: whole },
    expected: 200,
    effects: [ofExpense('ExpenseDeleted', id, null)],
  };
};

const writeNote: Operation = (caller, { clients, notes }) => {
  const client = oneOf(caller, clients);
  if (client === undefined) return undefined;
  const body = { id: randomUUID(), client_id: client, plan: randomUUID() };
  return {
    ...insert('sessions', body),
    effects: [ofNote('SessionNoteWritten', body.id, { client_id: client })],
    remember: () => void notes.push({ id: body.id, version: null, plan: '' }),
  };
};

/** Saves a draft. Drafts are in no log: a later read must return the text of the last acknowledged save. */
const saveDraft: Operation = (caller, { notes }) => {
  const note = taken(caller, notes);
  if (note === undefined) return undefined;
  const body = { session_id: note.id, version: note.version, plan: randomUUID() };
  return {
    request: { method: 'POST', path: '/rest/v1/rpc/save_draft', body },
    expected: 200,
    effects: [],
    remember: (text) => {
      const { version } = JSON.parse(text) as { version: string };
      notes.push({ id: note.id, version, plan: body.plan });
    },
  };
};

const readDraft: Operation = (caller, { notes }) => {
  const note = oneOf(
    caller,
    notes.filter(({ version }) => version !== null),
  );
  if (note === undefined) return undefined;
  const { id, version, plan } = note;
  const isHeld = (text: string): boolean => text.includes(`"${version}"`) && text.includes(plan);
  return { ...read(`rpc/session_drafts?session_id=${id}`), isHeld };
};

const readings: readonly Operation[] = [
  'appointments?order=date,start_time&limit=20',
  'appointments?select=id,status,clients(name)&limit=5',
  'clients?order=name&limit=20',
  'expenses?select=amount.sum()',
  'practices?select=id',
].map((query) => () => read(query));

const times = (count: number, operation: Operation): Operation[] =>
  Array.from({ length: count }, () => operation);

/** The operations of the load, each as often as its share. */
export const mixedLoad: readonly Operation[] = [
  ...times(2, registerClient),
  ...times(1, renameClient),
  ...times(5, book),
  ...times(2, complete),
  ...times(1, cancel),
  ...times(2, recordExpenses(1)),
  ...times(1, recordExpenses(3)),
  ...times(2, correctExpense),
  ...times(1, deleteExpense),
  ...times(1, writeNote),
  ...times(3, saveDraft),
  ...times(1, readDraft),
  ...times(5, bill),
  ...readings,
];

/** A write or a read of each service, which shows whether the service works. */
export const probes: Readonly<Record<string, Operation>> = {
  clients: registerClient,
  scheduling: book,
  finance: recordExpenses(1),
  'clinical-notes': writeNote,
  identity: () => read('practices?select=id'),
  webhooks: () => read('webhooks?select=id'),
  live: () => ({ method: 'GET', path: '/events/v1/?limit=1' }),
};
