// Session notes of the demo practice: one for most completed appointments, about what brought the client.
import type { SeedClient } from './clients.js';
import { momentOf } from './day.js';
import { idOf } from './identity.js';
import { noteWords, observed } from './note-words.js';
import { group } from './practice.js';
import type { Chance } from './random.js';
import type { SeedAppointment } from './year.js';

export interface SeedNote {
  readonly id: string;
  readonly client_id: string;
  readonly appointment_id: string;
  readonly subjective: string;
  readonly objective: string;
  readonly assessment: string;
  readonly plan: string;
  readonly created_at: string;
}

/** Written at the end of the session. There are no notes for groups and telephone calls. */
export function notesOf(
  appointments: readonly SeedAppointment[],
  clients: readonly SeedClient[],
  chance: Chance,
): SeedNote[] {
  const byId = new Map(clients.map((client) => [client.id, client]));
  return appointments
    .filter(({ status, service }) => status === 'completed' && !unnoted.has(service))
    .filter(() => chance.next() < 0.9)
    .flatMap((appointment) => {
      const client = byId.get(appointment.client_id);
      return client === undefined ? [] : [noteOf(appointment, client, chance)];
    });
}

const unnoted = new Set([group.name, 'Phone check-in']);

function noteOf({ id, date, end_time }: SeedAppointment, client: SeedClient, chance: Chance): SeedNote {
  const words = noteWords[client.concern];
  return {
    id: idOf('note', id),
    client_id: client.id,
    appointment_id: id,
    subjective: chance.pick(words.subjective),
    objective: chance.pick(observed),
    assessment: chance.pick(words.assessment),
    plan: chance.pick(words.plan),
    created_at: momentOf(date, end_time),
  };
}
