// Groups of time: a day or an instant is reduced to the period that contains it.

import { kinds } from '@practice/resource';
import { problemFor, type Problem } from '@practice/core';
import type { TimeUnit } from '../parse/select.js';
import { isUnresolved, typeOf, type Table } from './columns.js';
import type { PlannedField } from './read-plan.js';

const day = typeOf(kinds.date);
const instant = typeOf(kinds.timestamp);

/**
 * A field reduced to its period: the first day of the period, or the instant at which the hour begins. Notes 42804 for a column
 * that has no periods of this length.
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
