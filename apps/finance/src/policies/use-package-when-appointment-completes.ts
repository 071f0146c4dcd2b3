import { appointments, packages, type Appointment, type Package } from '@practice/contracts';
import { policy } from '@practice/resource';

type Visit = Pick<Appointment, 'id' | 'client_id' | 'service_id' | 'status' | 'date'>;

/** A completed appointment uses one session as long as it exists and is completed. */
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

  react({ id, before, after }, records) {
    const used = new Map(records.map((each) => [each.id, each.used_by ?? []]));
    const changed = new Set<string>();
    const set = (each: Package, ids: readonly string[]): void => {
      used.set(each.id, ids);
      changed.add(each.id);
    };
    if (useOf(before) !== null)
      for (const each of records.filter(({ used_by: ids }) => ids?.includes(id)))
        set(
          each,
          (used.get(each.id) ?? []).filter((other) => other !== id),
        );
    const chosen = after === null ? undefined : packageFor(after, records, used);
    if (chosen !== undefined) set(chosen, [...(used.get(chosen.id) ?? []), id]);
    return [...changed].map((each) => ({
      id: each,
      command: { kind: 'change', changes: { used_by: used.get(each) ?? [] } },
    }));
  },
});

/** The client and the service whose package an appointment uses; null if it uses none. */
const useOf = (visit: Visit | null): string | null =>
  visit?.status === 'completed' && visit.client_id !== null && visit.service_id !== null
    ? `${visit.client_id} ${visit.service_id}`
    : null;

/** The oldest package with a session for a visit that has none yet. */
function packageFor(
  visit: Visit,
  records: readonly Package[],
  used: ReadonlyMap<string, readonly string[]>,
): Package | undefined {
  if (useOf(visit) === null || [...used.values()].some((ids) => ids.includes(visit.id))) return undefined;
  return records
    .filter(
      (each) =>
        each.status === 'active' &&
        each.client_id === visit.client_id &&
        each.service_id === visit.service_id &&
        (each.expires_on === null || each.expires_on >= visit.date) &&
        (used.get(each.id) ?? []).length < each.sessions,
    )
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))[0];
}
