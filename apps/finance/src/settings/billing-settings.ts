import { billingSettings } from '@practice/contracts';
import { changedEvents, deciderOf, entries, type Row } from '@practice/resource';

/** The rules of the settings. They keep their counters: an undo of the first change resets the other columns to their defaults. */
export const billing = deciderOf(billingSettings, {
  remove(state: Row) {
    const usual = entries(billingSettings.columns).filter(([, { readOnly }]) => readOnly !== true);
    const changed = usual
      .map(([name, column]) => [name, column.default ?? null] as const)
      .filter(([name, value]) => state[name] !== value);
    return changedEvents(billingSettings, Object.fromEntries(changed));
  },
});
