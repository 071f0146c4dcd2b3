// A note belongs to a client, and to an appointment only if that is the same client's.

import { appointments, sessions } from '@practice/contracts';
import type { Appointment, SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Command, Decider, World } from '@practice/core';

type Booked = Pick<Appointment, 'id' | 'client_id'>;

export const sessionNote: Decider<SessionNote> = {
  resource: sessions.name,

  lookups(command, state) {
    const appointmentId = after(command, state)?.appointment_id ?? null;
    return appointmentId === null
      ? []
      : [{ resource: appointments.name, column: 'id', values: [appointmentId] }];
  },

  decide(command, state, { world }) {
    const next = after(command, state);
    if (next !== null) checkAppointment(next, world);
    switch (command.kind) {
      case 'create':
        return [{ type: 'SessionNoteWritten', data: command.record }];
      case 'change':
        return [{ type: 'SessionNoteAmended', data: command.changes }];
      case 'delete':
        return [{ type: 'SessionNoteDeleted', data: {} }];
      case 'act':
        throw new Error(`a session note cannot ${command.act}`);
    }
  },
};

/** Only a note that is written, or moved to another client or appointment, need be compared. */
function after(command: Command<SessionNote>, state: SessionNote | null): SessionNote | null {
  if (command.kind === 'create') return command.record;
  if (command.kind !== 'change' || state === null) return null;
  const moves = 'appointment_id' in command.changes || 'client_id' in command.changes;
  return moves ? { ...state, ...command.changes } : null;
}

function checkAppointment({ appointment_id: id, client_id: clientId }: SessionNote, world: World): void {
  if (id === null) return;
  const [booked] = world.rows<Booked>(appointments.name, 'id', id);
  if (booked === undefined || booked.client_id === null || booked.client_id === clientId) return;
  reject({
    status: 409,
    code: '23503',
    message:
      'insert or update on table "sessions" violates foreign key constraint "sessions_appointment_id_fkey"',
    details: `Key (appointment_id, client_id)=(${id}, ${clientId}) is not present in table "appointments".`,
    hint: 'The appointment is another client’s.',
  });
}
