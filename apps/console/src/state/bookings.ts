// Changes of appointments from the calendar. Each is one write, with an undo in its toast.

import type { TablesUpdate } from '@practice/client-types';
import { api, type Problem } from '../api/client.js';
import { type Appointment, type Status, titleOf } from '../logic/appointments.js';
import { shortDay } from '../logic/days.js';
import { act, toasts } from './act.svelte.js';
import { go } from './route.svelte.js';

const nameOf = (appointment: Appointment): string =>
  `${titleOf(appointment)}, ${shortDay(appointment.date)} ${appointment.start_time}`;

type OnTaken = (problem: Problem) => void;
/** Reports a taken time to the dialog in which it was chosen, and not as an error. */
const unlessTaken = (onTaken?: OnTaken) => ({
  onProblem: (problem: Problem): boolean => {
    const isTaken = problem.code === 'PM002' && onTaken !== undefined;
    if (isTaken) onTaken(problem);
    return isTaken;
  },
});
const moveOf = (one: Appointment, { date, start_time: time }: TablesUpdate<'appointments'>): string =>
  date || time
    ? `Moved ${titleOf(one)} to ${shortDay(date ?? one.date)}, ${time ?? one.start_time}`
    : `Changed: ${nameOf(one)}`;

/**
 * Changes an appointment. The API refuses the change if the appointment is no longer as it is shown.
 * @param onTaken called instead of an error if the time is taken
 */
export const change = (
  one: Appointment,
  changes: TablesUpdate<'appointments'>,
  onTaken?: OnTaken,
): Promise<boolean> =>
  act(
    moveOf(one, changes),
    () =>
      api
        .from('appointments')
        .update({ ...changes, updated_at: one.updated_at })
        .eq('id', one.id),
    unlessTaken(onTaken),
  );

export interface SeriesChange {
  readonly changes: TablesUpdate<'appointments'>;
  /** The new rule; null to keep the rule. */
  readonly rrule: string | null;
  readonly onTaken: OnTaken;
}

/** Changes an appointment and the following ones of its series. */
export function changeFollowing(
  one: Appointment,
  { changes, rrule, onTaken }: SeriesChange,
): Promise<boolean> {
  const { date, ...others } = changes;
  const args = {
    ...{ series_id: one.series_id ?? '', from_date: one.series_date ?? one.date },
    ...(others as Record<string, string>),
    ...(date !== undefined && date !== one.date && { date }),
    ...(rrule !== null && { rrule }),
  };
  return act(
    `Changed the series of ${titleOf(one)}`,
    () => api.rpc('change_series', args),
    unlessTaken(onTaken),
  );
}

/** Cancels an appointment and the following ones of its series. */
export const cancelFollowing = (one: Appointment): Promise<boolean> =>
  act(`${nameOf(one)} and the following ones: cancelled`, () =>
    api
      .from('appointments')
      .update({ status: 'cancelled' })
      .eq('series_id', one.series_id ?? '')
      .gte('series_date', one.series_date ?? one.date)
      .in('status', ['scheduled', 'confirmed']),
  );

/** Ends a series, which cancels its future appointments. */
export const endSeries = (one: Appointment): Promise<boolean> =>
  act(`The series of ${titleOf(one)} has ended`, () =>
    api
      .from('appointment_series')
      .update({ status: 'ended' })
      .eq('id', one.series_id ?? ''),
  );

export const setStatus = (appointment: Appointment, status: Status): Promise<boolean> =>
  act(`${nameOf(appointment)}: ${status.replace('_', '-')}`, () =>
    api.from('appointments').update({ status }).eq('id', appointment.id),
  );

let isOpening = false;
/** Opens the note of an appointment, or a new note if it has none. A second call at the same time does nothing. */
export async function openNote({ id, client_id: client }: Appointment): Promise<void> {
  if (client === null || isOpening) return;
  isOpening = true;
  try {
    const { data, error } = await api.from('sessions').select('id').eq('appointment_id', id).limit(1);
    const noteId = data?.[0]?.id ?? crypto.randomUUID();
    const note = { id: noteId, client_id: client, appointment_id: id };
    if (error) toasts.show({ text: 'The note was not opened', problem: error });
    else if (data[0] || (await act('Note begun', () => api.from('sessions').insert(note))))
      go(`notes/${noteId}`);
  } finally {
    isOpening = false;
  }
}
