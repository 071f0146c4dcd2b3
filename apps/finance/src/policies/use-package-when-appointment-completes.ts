import { appointments, invoiceItems, packages, type Appointment, type Package } from '@practice/contracts';
import { lookup, policy } from '@practice/resource';
import { isBilledBy } from '../packages/package.js';

type Visit = Pick<Appointment, 'id' | 'client_id' | 'service_id' | 'status' | 'date'>;

/** Uses sessions of packages. An appointment uses one session as long as it exists and is completed, unless it was billed before. */
export const usePackageWhenAppointmentCompletes = policy({
  when: appointments,
  reads: ['client_id', 'service_id', 'status', 'date'],
  since: 'beginning',
  acts: packages,

  concerns({ before, after }) {
    const [was, is] = [useOf(before), useOf(after)];
    if (was === is) return null;
    const clients = [before?.client_id, after?.client_id].filter((id) => id != null);
    return { column: 'client_id', values: [...new Set(clients)] };
  },

  lookups: ({ id }) => [lookup(invoiceItems, 'appointment_id', [id])],

  react({ id, before, after }, records, context) {
    const session = { id, service: after?.service_id };
    const isBilled = context
      .rows(invoiceItems, 'appointment_id', id)
      .some((item) => isBilledBy(item, session));
    const freed = records.map((each) => ({
      ...each,
      used_by: (each.used_by ?? []).filter((user) => useOf(before) === null || user !== id),
    }));
    const chosen = after === null || isBilled ? undefined : packageFor(after, freed);
    return freed
      .map((each) => (each === chosen ? { ...each, used_by: [...each.used_by, id] } : each))
      .filter(({ used_by }, index) => String(used_by) !== String(records[index]?.used_by ?? []))
      .map((each) => ({
        id: each.id,
        command: { kind: 'change', changes: { used_by: each.used_by } },
      }));
  },
});

/** The client and the service whose package an appointment uses; null if it uses no package. */
export const useOf = (visit: Visit | null): string | null =>
  visit?.status === 'completed' && visit.client_id !== null && visit.service_id !== null
    ? `${visit.client_id} ${visit.service_id}`
    : null;

type Used = Package & { readonly used_by: readonly string[] };

/** The oldest package with a session left, for a visit that has no session yet. */
export function packageFor(visit: Visit, records: readonly Used[]): Used | undefined {
  if (useOf(visit) === null || records.some(({ used_by: users }) => users.includes(visit.id)))
    return undefined;
  return records
    .filter(
      (each) =>
        each.status === 'active' &&
        `${each.client_id} ${each.service_id}` === useOf(visit) &&
        (each.expires_on === null || each.expires_on >= visit.date) &&
        each.used_by.length < each.sessions,
    )
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))[0];
}
