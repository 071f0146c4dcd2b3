// The price of an appointment: the price of its service at the booking or at a change of the service, unless a caller sets a price.

import { serviceMenu, type appointments } from '@practice/contracts';
import { lookup } from '@practice/resource';
import type { ChangeCommand, Command, Lookup, LookupContext } from '@practice/resource';

type Appointments = typeof appointments;

/** The service whose price the appointment takes. */
export function priceLookups(command: Command<Appointments>): Lookup[] {
  if (command.kind === 'delete' || command.isUndo === true) return [];
  const { service_id: id, price } = command.kind === 'create' ? command.record : command.changes;
  return id == null || price != null ? [] : [lookup(serviceMenu, 'id', [id])];
}

export const priceOf = (serviceId: string | null, context: LookupContext): string | null =>
  (serviceId === null ? undefined : context.rows(serviceMenu, 'id', serviceId)[0]?.price) ?? null;

/** The change of the price for a change of the service. */
export function followingPrice(
  { changes, isUndo }: ChangeCommand<Appointments>,
  before: string | null,
  context: LookupContext,
): { readonly price?: string | null } {
  if (isUndo === true || changes.service_id === undefined || changes.price !== undefined) return {};
  const price = priceOf(changes.service_id, context);
  return price === before ? {} : { price };
}
