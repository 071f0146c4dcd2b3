// The client's name on an appointment: follows the client until somebody writes another one there by hand.

import { clients } from '@practice/contracts';
import type { Appointment, Client } from '@practice/contracts';
import type { Command, Lookup, World } from '@practice/core';

/** Another client's name comes with the client, unless the caller has named the appointment by hand. */
export function followingName(
  state: Appointment,
  changes: Partial<Appointment>,
  world: World,
): Partial<Appointment> {
  if (changes.client_id === undefined || changes.client_name !== undefined) return {};
  const isByHand = state.client_name !== null && state.client_name !== nameOf(state.client_id, world);
  return isByHand ? {} : { client_name: nameOf(changes.client_id, world) };
}

/** The name of a client; null where there is none. */
export const nameOf = (clientId: string | null, world: World): string | null =>
  (clientId === null ? undefined : world.rows<Client>(clients.name, 'id', clientId)[0]?.name) ?? null;

/** The clients whose names a decision needs: on a change of client, the one before it too. */
export function clientLookups(command: Command<Appointment>, state: Appointment | null): Lookup[] {
  const wish = command.kind === 'create' ? command.record : command.kind === 'change' ? command.changes : {};
  const ids = wish.client_id === undefined ? [] : [wish.client_id, state?.client_id ?? null];
  const values = ids.filter((id) => id !== null);
  return values.length === 0 ? [] : [{ resource: clients.name, column: 'id', values }];
}
