// The fee for an appointment. It depends on the time of the event and on the rule in force at the booking.

import type { Appointment, FeeRule } from '@practice/contracts';
import { shareOf, unitsOf } from '@practice/core';

export type Missed = Pick<
  Appointment,
  'id' | 'client_id' | 'service_id' | 'status' | 'date' | 'starts_at' | 'price' | 'created_at'
>;

const kinds = { cancelled: 'late_cancellation', no_show: 'no_show' } as const;

/** The kind of fee that an appointment may cost. */
export const kindOf = (missed: Pick<Missed, 'status'> | null): FeeRule['kind'] | null =>
  missed?.status === 'cancelled' || missed?.status === 'no_show' ? kinds[missed.status] : null;

const HOUR_MS = 3_600_000;

/**
 * The fee without tax; null if the appointment costs no fee.
 * @param at the time at which the appointment was cancelled or missed
 */
export function feeFor(missed: Missed, at: string, rules: readonly FeeRule[]): string | null {
  const kind = kindOf(missed);
  const rule = ruleFor(
    missed,
    rules.filter((each) => each.kind === kind),
  );
  if (rule === undefined || (kind === 'late_cancellation' && !isLate(missed, at, rule))) return null;
  const fee = rule.amount ?? shareOf(missed.price ?? '0.00', rule.percent, '100.00');
  return unitsOf(fee) > 0n ? fee : null;
}

/** The newest rule that was in force when the appointment was booked. A rule of its service takes precedence. */
function ruleFor({ service_id, created_at: booked }: Missed, rules: readonly FeeRule[]): FeeRule | undefined {
  const isBefore = (one: string, other: string): boolean => Date.parse(one) <= Date.parse(other);
  const inForce = rules
    .filter((rule) => rule.service_id === null || rule.service_id === service_id)
    .filter(
      (rule) =>
        isBefore(rule.created_at, booked) && (rule.ended_at === null || !isBefore(rule.ended_at, booked)),
    )
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  return inForce.find((rule) => rule.service_id !== null) ?? inForce[0];
}

const isLate = ({ starts_at: start }: Missed, at: string, { notice_hours: hours }: FeeRule): boolean =>
  start !== null && Date.parse(start) - Date.parse(at) < hours * HOUR_MS;
