// The client's name on an appointment. It follows the client until a caller sets another name.

import { clients, type Appointment, type appointments } from '@practice/contracts';
import { lookup } from '@practice/resource';
import type {
  ChangeCommand,
  Changes,
  Command,
  CreateCommand,
  Lookup,
  LookupContext,
} from '@practice/resource';

type Appointments = typeof appointments;

/** The name on a new appointment. An undo uses the current name of the client, because the name in the log may be old. */
export function nameOfNew(
  { record, isUndo }: CreateCommand<Appointments>,
  context: LookupContext,
): string | null {
  const present = nameOf(record.client_id, context);
  return isUndo === true ? (present ?? record.client_name) : (record.client_name ?? present);
}

/** The change of the name for a change of the client; empty if a caller has set the name before or sets it now. */
export function followingName(
  state: Appointment,
  { changes, isUndo }: ChangeCommand<Appointments>,
  context: LookupContext,
): Pick<Changes<Appointments>, 'client_name'> {
  if (changes.client_id === undefined) return {};
  if (changes.client_name !== undefined) {
    const present = isUndo === true ? nameOf(changes.client_id, context) : null;
    return present === null ? {} : { client_name: present };
  }
  const isByHand = state.client_name !== null && state.client_name !== nameOf(state.client_id, context);
  return isByHand ? {} : { client_name: nameOf(changes.client_id, context) };
}

/** The name of a client; null if the client does not exist. */
const nameOf = (clientId: string | null, context: LookupContext): string | null =>
  (clientId === null ? undefined : context.rows(clients, 'id', clientId)[0]?.name) ?? null;

/** The clients whose names a decision needs: for a change of the client, also the previous client. */
export function clientLookups(command: Command<Appointments>, state: Appointment | null): Lookup[] {
  const given = command.kind === 'create' ? command.record : command.kind === 'change' ? command.changes : {};
  return given.client_id === undefined ? [] : [lookup(clients, 'id', [given.client_id, state?.client_id])];
}
