// Changes of appointments from the calendar. Each is one write, with an undo in its toast.

import type { TablesUpdate } from '@practice/client-types';
import { api, type Problem } from '../api/client.js';
import { type Appointment, type Status, titleOf } from '../logic/appointments.js';
import { shortDay } from '../logic/days.js';
import { act } from './act.svelte.js';
import { go } from './route.svelte.js';

const nameOf = (appointment: Appointment): string =>
  `${titleOf(appointment)}, ${shortDay(appointment.date)} ${appointment.start_time}`;

/**
 * Changes an appointment as it is shown: refused if it has changed since.
 * @param onTaken called if the time is taken, instead of an error
 */
export const change = (
  appointment: Appointment,
  changes: TablesUpdate<'appointments'>,
  onTaken?: (problem: Problem) => void,
): Promise<boolean> =>
  act(
    changes.date || changes.start_time
      ? `Moved ${titleOf(appointment)} to ${shortDay(changes.date ?? appointment.date)}, ${changes.start_time}`
      : `Changed: ${nameOf(appointment)}`,
    () =>
      api
        .from('appointments')
        .update({ ...changes, updated_at: appointment.updated_at })
        .eq('id', appointment.id),
    {
      onProblem: (problem) => {
        const isTaken = problem.code === 'PM002' && onTaken !== undefined;
        if (isTaken) onTaken(problem);
        return isTaken;
      },
    },
  );

export const setStatus = (appointment: Appointment, status: Status): Promise<boolean> =>
  act(`${nameOf(appointment)}: ${status.replace('_', '-')}`, () =>
    api.from('appointments').update({ status }).eq('id', appointment.id),
  );

/** Opens the note of an appointment; begins one if the appointment has no note. */
export async function openNote({ id, client_id: client }: Appointment): Promise<void> {
  if (client === null) return;
  const { data } = await api.from('sessions').select('id').eq('appointment_id', id).limit(1);
  if (data?.[0]) return go(`notes/${data[0].id}`);
  const noteId = crypto.randomUUID();
  await act(
    'Note begun',
    () => api.from('sessions').insert({ id: noteId, client_id: client, appointment_id: id }),
    { onDone: () => go(`notes/${noteId}`) },
  );
}
