// Which appointments exclude each other. Bookings and free slots follow the same rules.

import type { Appointment } from '@practice/contracts';

/** The part of an appointment that decides whether it excludes others on the same day. */
export type Occupied = Pick<Appointment, 'start_time' | 'end_time' | 'service_id' | 'practitioner_id'>;

/** Whether two appointments overlap. Spans are half-open: an appointment may begin when another one ends. */
export const overlap = (one: Occupied, other: Occupied): boolean =>
  one.start_time < other.end_time && other.start_time < one.end_time;

/** Whether two appointments are in the same calendar. An appointment without a practitioner is in every calendar. */
export const sharesCalendar = (
  { practitioner_id: one }: Occupied,
  { practitioner_id: other }: Occupied,
): boolean => one === null || other === null || one === other;

/** Whether both appointments are bookings of the same slot of a service. Its capacity limits their number. */
export const sharesSlot = (one: Occupied, other: Occupied): boolean =>
  one.service_id !== null &&
  one.service_id === other.service_id &&
  one.start_time === other.start_time &&
  one.end_time === other.end_time;

/** The place of an appointment among others. */
export interface Place<Other> {
  /** An appointment that takes the time, or the last seat of the slot. */
  readonly inTheWay: Other | undefined;
  readonly seatsLeft: number;
}

/**
 * Finds the place of an appointment among appointments that overlap it.
 * @param simultaneous appointments that block time and overlap the wanted one
 * @param capacity of the service; 1 without a service
 */
export function placeAmong<Other extends Occupied>(
  wanted: Occupied,
  simultaneous: readonly Other[],
  capacity: number,
): Place<Other> {
  const overlapping = simultaneous.filter((other) => sharesCalendar(wanted, other));
  const inTheWay = overlapping.find((other) => !sharesSlot(wanted, other));
  if (inTheWay !== undefined) return { inTheWay, seatsLeft: 0 };
  const seatsLeft = Math.max(0, capacity - inFullestCalendar(overlapping));
  return { inTheWay: seatsLeft > 0 ? undefined : overlapping[0], seatsLeft };
}

/** The number of these appointments in the fullest calendar. */
function inFullestCalendar(slot: readonly Occupied[]): number {
  const inEach = slot.filter(({ practitioner_id: practitioner }) => practitioner === null).length;
  const own = new Map<string, number>();
  for (const { practitioner_id: practitioner } of slot)
    if (practitioner !== null) own.set(practitioner, (own.get(practitioner) ?? 0) + 1);
  return inEach + Math.max(0, ...own.values());
}
