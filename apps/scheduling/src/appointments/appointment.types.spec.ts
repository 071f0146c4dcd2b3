// Types that the definition of appointments gives to deciders and policies. The compiler checks this file; nothing runs it.

import { appointments, clients, type Appointment } from '@practice/contracts';
import { changedEvents, lookup, policy } from '@practice/resource';
import type { Acts, Changes, Command, Decider, Draft, EventOf, LookupContext } from '@practice/resource';

type Appointments = typeof appointments;
type Clients = typeof clients;

declare const row: Appointment;
declare const changes: Changes<Appointments>;
declare const context: LookupContext;

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const inferred: readonly true[] = [
  true satisfies Equal<Acts<Clients>, 'countVisit' | 'uncountVisit'>,
  true satisfies Equal<Acts<Appointments>, never>,
  true satisfies Equal<Draft<Appointments>['end_time'], string | null>,
  true satisfies Equal<Draft<Appointments>['start_time'], string | null>,
  true satisfies Equal<Draft<Appointments>['allow_overlap'], boolean>,
  true satisfies Equal<Draft<Clients>['email'], string | null>,
  true satisfies Equal<'seat' extends keyof Changes<Appointments> ? true : false, false>,
  true satisfies Equal<'created_at' extends keyof Changes<Appointments> ? true : false, false>,
  true satisfies Equal<Extract<Command<Appointments>, { kind: 'act' }>, never>,
];

export const events: readonly EventOf<Appointments>[] = [
  { type: 'AppointmentScheduled', data: row },
  { type: 'AppointmentRescheduled', data: { date: '2026-05-04' } },
  { type: 'AppointmentRescheduled', data: { date: '2026-05-04', seat: 1 } },
  { type: 'AppointmentDetailsChanged', data: { notes: null } },
  { type: 'AppointmentDeleted', data: {} },
  // @ts-expect-error -- the definition does not have this event
  { type: 'AppointmentUpdated', data: {} },
  // @ts-expect-error -- this event does not hold that column
  { type: 'AppointmentRescheduled', data: { notes: 'x' } },
  // @ts-expect-error -- the columns of a change do not all belong to one event
  { type: 'AppointmentDetailsChanged', data: changes },
  // @ts-expect-error -- a whole row is not the data of a change
  { type: 'AppointmentConfirmed', data: row },
  // @ts-expect-error -- not a status
  { type: 'AppointmentConfirmed', data: { status: 'done' } },
  // @ts-expect-error -- the first event of a record holds every column
  { type: 'AppointmentScheduled', data: { date: '2026-05-04' } },
  // @ts-expect-error -- an end that the decider has not filled yet
  { type: 'AppointmentScheduled', data: { ...row, end_time: null } },
  // @ts-expect-error -- a deletion holds nothing
  { type: 'AppointmentDeleted', data: { notes: 'x' } },
  // @ts-expect-error -- another aggregate's event
  { type: 'ClientRenamed', data: { name: 'x' } },
];

export const commands: readonly Command<Clients>[] = [
  { kind: 'act', act: 'countVisit' },
  { kind: 'change', changes: { phone: null } },
  // @ts-expect-error -- an act that the definition does not list
  { kind: 'act', act: 'uncount' },
  // @ts-expect-error -- not a column
  { kind: 'change', changes: { surname: 'x' } },
  // @ts-expect-error -- the name may not be null
  { kind: 'change', changes: { name: null } },
  // @ts-expect-error -- a caller cannot change the id
  { kind: 'change', changes: { id: 'x' } },
];

// @ts-expect-error -- appointments have no acts
export const act: Command<Appointments> = { kind: 'act', act: 'countVisit' };

export const decider: Decider<Clients> = {
  definition: clients,
  lookups: () => [lookup(appointments, 'client_id', ['x'])],
  // @ts-expect-error -- a decider returns its own aggregate's events
  decide: () => [{ type: 'AppointmentCancelled' as const, data: { status: 'cancelled' as const } }],
};

export const misplaced: Decider<Clients> = {
  // @ts-expect-error -- a decider belongs to one definition
  definition: appointments,
  lookups: () => [],
  decide: () => [],
};

export function lookups(): unknown[] {
  return [
    context.rows(clients, 'id', 'x')[0]?.name satisfies string | undefined,
    // @ts-expect-error -- not a column of clients
    context.rows(clients, 'client_id', 'x'),
    // @ts-expect-error -- not a column of clients
    lookup(clients, 'client_id', ['x']),
  ];
}

export function changed(): unknown[] {
  return [
    changedEvents(clients, { name: 'x' }, { total_visits: () => 'ClientVisitsCorrected' }),
    changedEvents(appointments, { notes: 'x' }, { status: () => 'AppointmentConfirmed' }),
    // @ts-expect-error -- several events hold the status, so the caller must say which
    changedEvents(appointments, { notes: 'x' }),
    // @ts-expect-error -- this event does not hold the status
    changedEvents(appointments, { notes: 'x' }, { status: () => 'AppointmentRescheduled' }),
  ];
}

export const policies = [
  policy({
    when: appointments,
    reads: ['client_id'],
    since: 'beginning',
    acts: clients,
    // @ts-expect-error -- the policy does not read the status
    concerns: ({ after }) => (after?.status === 'completed' ? { column: 'id', values: [] } : null),
    react: () => [],
  }),
  policy({
    when: appointments,
    reads: ['client_id'],
    since: 'beginning',
    acts: clients,
    concerns: () => null,
    // @ts-expect-error -- an act that clients do not list
    react: ({ id }) => [{ id, command: { kind: 'act', act: 'uncount' } }],
  }),
  policy({
    when: appointments,
    // @ts-expect-error -- not a column of appointments
    reads: ['diagnosis'],
    acts: clients,
    concerns: () => null,
    react: () => [],
  }),
];
