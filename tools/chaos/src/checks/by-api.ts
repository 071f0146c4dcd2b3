// The comparison through the API only, for a system whose servers this machine does not reach.
import { until } from '@practice/operator';
import { FEED_SERVICES } from '../followers/feed.js';
import type { Load } from '../load.js';
import { send, type ApiAccess, type Practice } from '../load/practice.js';
import { finding, type Finding } from './finding.js';
import { skippedOrRepeated } from './followers.js';
import { checkChain } from './programs.js';

const ARRIVED_WITHIN = 20_000;

type Compared = Pick<Load, 'api' | 'journal' | 'practices' | 'followed'>;

/** Compares the records with the journal, and checks the hashes of the logs and that all followers have the same events. */
export async function compareByApi(load: Compared): Promise<Finding[]> {
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

/** The most rows that one read returns. */
const MOST_ROWS = 1_000;

/** The ids of all records of a practice, in pages. */
async function idsOf(api: ApiAccess, practice: Practice, table: string): Promise<string[]> {
  const ids: string[] = [];
  for (let isEnd = false; !isEnd;) {
    const [last] = ids.slice(-1);
    const path = `/rest/v1/${table}?select=id&order=id&limit=${MOST_ROWS}${last ? `&id=gt.${last}` : ''}`;
    const { status, text } = await send(api, practice, { method: 'GET', path });
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    const page = JSON.parse(text) as { id: string }[];
    ids.push(...page.map(({ id }) => id));
    isEnd = page.length < MOST_ROWS;
  }
  return ids;
}

/** Compares the ids of all records with the journal. */
async function checkIds({ api, journal, practices }: Compared, place: string): Promise<Finding[]> {
  const [, table = ''] = place.split('.');
  const stored = (await Promise.all(practices.map((practice) => idsOf(api, practice, table)))).flat();
  const kept = [...(journal.rows.get(place) ?? [])].flatMap(([id, row]) => (row === null ? [] : [id]));
  const without = (all: readonly string[], others: readonly string[]): string[] => {
    const known = new Set(others);
    return all.filter((id) => !known.has(id)).map((id) => `${place} ${id}`);
  };
  return [...without(kept, stored).map(finding('lost')), ...without(stored, kept).map(finding('doubled'))];
}

/** Followers that skipped an event, received an event twice, or have other events than the first follower. */
function differences({ followed, practices }: Compared): Finding[] {
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
