// The rule of a session note: its appointment, if it has one, is not another client's.

import { appointments, sessions, type SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents, lookup, type Command, type Decider, type LookupContext } from '@practice/resource';

type Sessions = typeof sessions;

export const sessionNote: Decider<Sessions> = {
  definition: sessions,

  lookups(command, state) {
    const appointmentId = moved(command, state)?.appointment_id ?? null;
    return appointmentId === null ? [] : [lookup(appointments, 'id', [appointmentId])];
  },

  decide(command, state, context) {
    const next = moved(command, state);
    if (next !== null) checkAppointment(next, context);
    switch (command.kind) {
      case 'create':
        return [{ type: 'SessionNoteWritten', data: command.record }];
      case 'change':
        return changedEvents(sessions, command.changes);
      case 'delete':
        return [{ type: 'SessionNoteDeleted', data: {} }];
    }
  },
};

/** The note after a command that gives it a client or an appointment; null for every other command. */
function moved(command: Command<Sessions>, state: SessionNote | null): SessionNote | null {
  if (command.kind === 'create') return command.record;
  if (command.kind !== 'change' || state === null) return null;
  const moves = 'appointment_id' in command.changes || 'client_id' in command.changes;
  return moves ? { ...state, ...command.changes } : null;
}

function checkAppointment(note: SessionNote, context: LookupContext): void {
  const { appointment_id: id, client_id: clientId } = note;
  if (id === null) return;
  const [booked] = context.rows(appointments, 'id', id);
  if (booked === undefined || booked.client_id === null || booked.client_id === clientId) return;
  reject({
    status: 409,
    code: '23503',
    message:
      'insert or update on table "sessions" violates foreign key constraint "sessions_appointment_id_fkey"',
    details: `Key (appointment_id, client_id)=(${id}, ${clientId}) is not present in table "appointments".`,
    hint: 'The appointment belongs to another client.',
  });
}
