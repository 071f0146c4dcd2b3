import { appointments, clients, type Appointment } from '@practice/contracts';
import { policy, type Acts, type Reaction } from '@practice/resource';

/** Counts visits. An appointment is a visit of its client as long as it exists, is completed and belongs to the client. */
export const countVisitsWhenAppointmentsComplete = policy({
  when: appointments,
  reads: ['client_id', 'status'],
  since: 'beginning',
  acts: clients,

  concerns({ before, after }) {
    const [visitor, next] = [visitorOf(before), visitorOf(after)];
    return visitor === next ? null : { column: 'id', values: [visitor, next].filter((id) => id !== null) };
  },

  react({ before, after }) {
    return [...reaction(visitorOf(before), 'uncountVisit'), ...reaction(visitorOf(after), 'countVisit')];
  },
});

const visitorOf = (visit: Pick<Appointment, 'client_id' | 'status'> | null): string | null =>
  visit?.status === 'completed' ? visit.client_id : null;

const reaction = (id: string | null, act: Acts<typeof clients>): Reaction<typeof clients>[] =>
  id === null ? [] : [{ id, command: { kind: 'act', act } }];
