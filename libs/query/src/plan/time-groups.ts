// Groups of time: a day or an instant reduced to the period that it is in.

import { kinds } from '@practice/resource';
import { problemFor, type Problem } from '@practice/core';
import type { TimeUnit } from '../parse/select.js';
import { isUnresolved, typeOf, type Table } from './columns.js';
import type { PlannedField } from './read-plan.js';

const day = typeOf(kinds.date);
const instant = typeOf(kinds.timestamp);

/**
 * A field as the period that its value is in: its first day, or the instant at which the hour begins. Notes 42804 for a column
 * without periods of this length.
 */
export function periodOf({ problems }: Table, field: PlannedField, unit: TimeUnit): PlannedField {
  const { sqlType } = field.type;
  const isInstant = sqlType === instant.sqlType;
  const fits = isInstant || (sqlType === day.sqlType && unit !== 'hour');
  if (!fits && !isUnresolved(field.type)) problems.note(noPeriod(field, unit));
  return { ...field, unit, type: unit === 'hour' ? instant : day };
}

const noPeriod = ({ column, type }: PlannedField, unit: TimeUnit): Problem =>
  problemFor('42804', {
    message: `column "${column.name}" is of type ${type.sqlType}: it has no ${unit}()`,
    hint:
      unit === 'hour'
        ? 'Instants (timestamp with time zone) have hour().'
        : 'Dates and instants have day(), week(), month(), quarter() and year().',
  });
