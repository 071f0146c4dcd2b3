// The comparison through the API only, for a system whose servers this machine does not reach.
import { until } from '@practice/operator';
import { FEED_SERVICES } from '../followers/feed.js';
import type { Load } from '../load.js';
import { send, type Practice } from '../load/practice.js';
import { finding, type Finding } from './finding.js';
import { skippedOrRepeated } from './followers.js';
import { checkChain } from './programs.js';

const ARRIVED_WITHIN = 20_000;

/** Compares the records with the journal, and checks the hashes of the logs and that all followers have the same events. */
export async function compareByApi(load: Load): Promise<Finding[]> {
  const { api, journal, practices } = load;
  const chains = await Promise.all(practices.map((practice) => checkChain(api, practice)));
  const rows = await Promise.all([...journal.rows.keys()].map((place) => checkIds(load, place)));
  await until(() => differences(load).length === 0, { within: ARRIVED_WITHIN });
  return [
    ...journal.wrong.map(finding('inconsistent')),
    ...chains.flat(),
    ...rows.flat(),
    ...differences(load),
  ];
}

/** Compares the ids of all records with the journal. */
async function checkIds({ api, journal, practices }: Load, place: string): Promise<Finding[]> {
  const [, table] = place.split('.');
  const idsOf = async (practice: Practice): Promise<string[]> => {
    const path = `/rest/v1/${table}?select=id&limit=10000`;
    const { status, text } = await send(api, practice, { method: 'GET', path });
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
  };
  const stored = (await Promise.all(practices.map(idsOf))).flat();
  const kept = [...(journal.rows.get(place) ?? [])].flatMap(([id, row]) => (row === null ? [] : [id]));
  const without = (all: readonly string[], others: readonly string[]): string[] => {
    const known = new Set(others);
    return all.filter((id) => !known.has(id)).map((id) => `${place} ${id}`);
  };
  return [...without(kept, stored).map(finding('lost')), ...without(stored, kept).map(finding('doubled'))];
}

/** Followers that skipped an event, received an event twice, or have other events than the first follower. */
function differences({ followed, practices }: Load): Finding[] {
  const logs = practices.flatMap(({ therapistId }) =>
    FEED_SERVICES.map((service) => `${service} ${therapistId}` as const),
  );
  const different = followed.flatMap(({ follower, received }) =>
    logs
      .filter((log) => received.last(log) !== followed[0]?.received.last(log))
      .map((log) => finding('lost')(`the ${follower} has other events of ${log} than the first follower`)),
  );
  return [...followed.flatMap(skippedOrRepeated), ...different];
}
