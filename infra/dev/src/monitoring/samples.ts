// The text that Prometheus scrapes, read back.
import { request } from 'node:http';

/** A line of the text. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SCRAPED_WITHIN_MS = 5_000;

/**
 * The text of a process's metrics, or of another path of the same server.
 * @param address host and port
 * @throws {Error} when the process does not answer
 */
export function scrapeText(address: string, path = '/metrics'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `http://${address}${path}`,
      { agent: false, timeout: SCRAPED_WITHIN_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`the metrics of ${address} were answered ${response.statusCode}`));
        });
      },
    );
    asked
      .on('timeout', () => asked.destroy(new Error(`${address} does not answer`)))
      .on('error', reject)
      .end();
  });
}

/** The samples in the text of a process's metrics. */
export function samplesIn(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return { name, labels: labelsIn(labels), value: numberOf(value) };
    });
}

/** `+Inf` and `-Inf` as Prometheus writes them. */
const numberOf = (text: string): number => Number(text.replace('Inf', 'Infinity'));

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  );

/** The samples of a name that have these labels. */
export function withLabels(
  samples: readonly Sample[],
  name: string,
  labels: Sample['labels'] = {},
): readonly Sample[] {
  const wanted = Object.entries(labels);
  return samples.filter(
    (sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value),
  );
}

/** The sum of the samples of a name that have these labels. */
export const sumOf = (samples: readonly Sample[], name: string, labels?: Sample['labels']): number =>
  withLabels(samples, name, labels).reduce((sum, { value }) => sum + value, 0);

/** A bucket of a histogram: values up to `le`. */
export interface Bucket {
  readonly le: number;
  readonly count: number;
}

/** The value below which a share of the values in cumulative buckets lies, interpolated as Prometheus does; undefined without values. */
export function quantile(share: number, buckets: readonly Bucket[]): number | undefined {
  const sorted = [...buckets].sort((one, other) => one.le - other.le);
  const rank = share * (sorted.at(-1)?.count ?? 0);
  if (rank === 0) return undefined;
  const index = sorted.findIndex(({ count }) => count >= rank);
  const { le = 0, count = 0 } = sorted[index] ?? {};
  const below = sorted[index - 1] ?? { le: 0, count: 0 };
  if (le === Infinity) return below.le;
  return below.le + ((le - below.le) * (rank - below.count)) / (count - below.count);
}
