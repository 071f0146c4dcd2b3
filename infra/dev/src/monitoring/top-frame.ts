// One picture of `npm run top`: the values between two scrapes of all processes.
import type { Use } from '@practice/metrics';
import { quantile, sumOf, withLabels, type Sample } from './samples.js';
import type { Target } from './targets.js';

/** The samples of all processes at one time. */
export interface Scrape {
  /** Milliseconds. */
  readonly at: number;
  readonly processes: readonly {
    readonly target: Target;
    readonly samples: readonly Sample[] | undefined;
    readonly practices: readonly Use[];
  }[];
}

const HTTP = 'practice_http_request_duration_seconds';
const isProbe = ({ labels }: Sample): boolean => ['/readyz', '/livez'].includes(labels['route'] ?? '');

/** The lines of the picture. @param before an earlier scrape of the same processes */
export function frame(before: Scrape, after: Scrape): string[] {
  return [
    ...overview(before, after),
    '',
    ...table(['calls', '/s', 'median', '99 %', '4xx/s', '5xx/s'], calls(before, after)),
    '',
    ...table(['process', 'cpu', 'memory', 'busy', 'requests/s', 'in progress'], processes(before, after)),
    '',
    ...table(['busiest practices', 'requests', 'time in services'], busiestPractices(after)),
    '',
    ...table(['events', 'waiting', 'lag'], events(after)),
  ];
}

const samplesOf = ({ processes: all }: Scrape): Sample[] =>
  all.flatMap(({ samples = [] }) => samples).filter((sample) => !isProbe(sample));

/** The increase per second of the samples that a name and labels choose. */
function rate(before: Scrape, after: Scrape): (name: string, labels?: Sample['labels']) => number {
  const [old, now, seconds] = [samplesOf(before), samplesOf(after), (after.at - before.at) / 1000];
  // A process that was started again counts from 0.
  return (name, labels) => Math.max(0, sumOf(now, name, labels) - sumOf(old, name, labels)) / seconds;
}

function latency(before: Scrape, after: Scrape, labels: Sample['labels']): (share: number) => string {
  const [old, now] = [samplesOf(before), samplesOf(after)];
  const bounds = [...new Set(withLabels(now, `${HTTP}_bucket`, labels).map(({ labels: { le = '' } }) => le))];
  const buckets = bounds.map((le) => ({
    le: Number(le.replace('+Inf', 'Infinity')),
    count: sumOf(now, `${HTTP}_bucket`, { ...labels, le }) - sumOf(old, `${HTTP}_bucket`, { ...labels, le }),
  }));
  return (share) => milliseconds(quantile(share, buckets));
}

function overview(before: Scrape, after: Scrape): string[] {
  const perSecond = rate(before, after);
  const time = latency(before, after, {});
  const refused = perSecond('practice_requests_refused_total');
  const free = sumOf(samplesOf(after), 'practice_disk_free_bytes');
  return [
    [
      `${perSecond(`${HTTP}_count`).toFixed(1)} requests/s`,
      `median ${time(0.5)}`,
      `99 % ${time(0.99)}`,
      `${refused.toFixed(1)} refused/s`,
      `${deadLetters(after)} dead letters`,
      `${(free / 1e9).toFixed(1)} GB free`,
    ].join('   '),
  ];
}

function calls(before: Scrape, after: Scrape): string[][] {
  const perSecond = rate(before, after);
  const seen = withLabels(samplesOf(after), `${HTTP}_count`).map(({ labels }) => labels);
  const names = [
    ...new Set(seen.map(({ route = '', resource = '' }) => JSON.stringify({ route, resource }))),
  ];
  const rows = names.map((name) => {
    const chosen = JSON.parse(name) as { route: string; resource: string };
    const time = latency(before, after, chosen);
    const failing = (digit: string): string => {
      const statuses = new Set(
        seen.map(({ status = '' }) => status).filter((status) => status.startsWith(digit)),
      );
      return [...statuses]
        .reduce((sum, status) => sum + perSecond(`${HTTP}_count`, { ...chosen, status }), 0)
        .toFixed(1);
    };
    const total = perSecond(`${HTTP}_count`, chosen);
    const title = chosen.resource || chosen.route || '(no route)';
    return { total, cells: [title, total.toFixed(1), time(0.5), time(0.99), failing('4'), failing('5')] };
  });
  const busy = rows.filter(({ total }) => total > 0).sort((one, other) => other.total - one.total);
  return busy.slice(0, MOST_CALLS).map(({ cells }) => cells);
}

const MOST_CALLS = 12;

function processes(before: Scrape, after: Scrape): string[][] {
  return after.processes.map(({ target, samples }) => {
    if (samples === undefined) return [target.process, 'down', '', '', '', ''];
    const old = before.processes.find((one) => one.target.process === target.process)?.samples ?? [];
    const one = (processSamples: readonly Sample[], at: number): Scrape => ({
      at,
      processes: [{ target, samples: processSamples, practices: [] }],
    });
    const perSecond = rate(one(old, before.at), one(samples, after.at));
    const requests =
      perSecond(`${HTTP}_count`) + perSecond('practice_service_request_duration_seconds_count');
    const inProgress =
      sumOf(samples, 'practice_http_requests_in_flight') +
      sumOf(samples, 'practice_service_requests_in_flight');
    return [
      target.process,
      percent(perSecond('process_cpu_seconds_total')),
      `${(sumOf(samples, 'process_resident_memory_bytes') / 1e6).toFixed(0)} MB`,
      percent(sumOf(samples, 'practice_event_loop_utilization')),
      requests.toFixed(1),
      String(inProgress),
    ];
  });
}

/** Each process names its three busiest practices of the last two minutes. A request is in a gateway and in a service. */
function busiestPractices({ processes: all }: Scrape): string[][] {
  const found = new Map<string, { requests: number; ms: number }>();
  for (const { target, practices } of all)
    for (const { therapistId, requests, ms } of practices) {
      const use = found.get(therapistId) ?? { requests: 0, ms: 0 };
      if (target.service === 'gateway') use.requests += requests;
      else use.ms += ms;
      found.set(therapistId, use);
    }
  return [...found]
    .sort(([, one], [, other]) => other.ms - one.ms)
    .slice(0, MOST_PRACTICES)
    .map(([id, { requests, ms }]) => [id, String(requests), duration(ms / 1000)]);
}

const MOST_PRACTICES = 3;

/** Each process of a service exports the same numbers. */
const deadLetters = ({ processes: all }: Scrape): number =>
  Math.max(0, ...all.map(({ samples = [] }) => sumOf(samples, 'practice_dead_letters')));

/** Several processes of a service export the same outbox and subscriptions. */
function events(after: Scrape): string[][] {
  const rows = new Map<string, string[]>();
  for (const { target, samples = [] } of after.processes) {
    for (const { value } of withLabels(samples, 'practice_outbox_events'))
      rows.set(target.service, [
        `outbox of ${target.service}`,
        String(value),
        duration(sumOf(samples, 'practice_outbox_oldest_seconds')),
      ]);
    for (const { labels, value } of withLabels(samples, 'practice_subscription_pending_events'))
      rows.set(labels['subscription'] ?? '', [
        labels['subscription'] ?? '',
        String(value),
        duration(sumOf(samples, 'practice_subscription_lag_seconds', labels)),
      ]);
  }
  return [...rows.values()];
}

const milliseconds = (seconds: number | undefined): string =>
  seconds === undefined ? '-' : `${(seconds * 1000).toFixed(1)} ms`;
const duration = (seconds: number): string => `${seconds.toFixed(1)} s`;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** The first column to the left, the others to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[index] ?? 0) + 2),
      )
      .join('')
      .trimEnd(),
  );
}
