import { billingSettings } from '@practice/contracts';
import { changedEvents, deciderOf, entries, type Row } from '@practice/resource';

/** The rules of the settings. They keep their counters: an undo of the first change resets the other columns to their defaults. */
export const billing = deciderOf(billingSettings, {
  remove(state: Row) {
    const usual = entries(billingSettings.columns).filter(([, { readOnly }]) => readOnly !== true);
    const preset = usual.map(([name, column]) => [name, column.default ?? null] as const);
    const changed = preset.filter(([name, value]) => state[name] !== value);
    // Without an event, the undo would delete the record, and with it the counters.
    return changedEvents(billingSettings, Object.fromEntries(changed.length > 0 ? changed : preset));
  },
});
