import { appointments, clients } from '@practice/contracts';
import type { Appointment, Client } from '@practice/contracts';
import type { Policy, Reaction } from '@practice/core';

type Visit = Pick<Appointment, 'id' | 'client_id' | 'status'>;

/** A completed appointment is a visit of its client for as long as it exists, is completed and is that client's. */
export const countVisitsWhenAppointmentsComplete: Policy<Visit, Client> = {
  when: appointments.name,
  acts: clients.name,

  concerns({ before, after }) {
    const [visitor, next] = [visitorOf(before), visitorOf(after)];
    return visitor === next ? null : { column: 'id', values: [visitor, next].filter((id) => id !== null) };
  },

  react({ before, after }) {
    return [...reaction(visitorOf(before), 'uncountVisit'), ...reaction(visitorOf(after), 'countVisit')];
  },
};

const visitorOf = (visit: Visit | null): string | null =>
  visit?.status === 'completed' ? visit.client_id : null;

const reaction = (id: string | null, act: 'countVisit' | 'uncountVisit'): Reaction<Client>[] =>
  id === null ? [] : [{ id, command: { kind: 'act', act } }];
