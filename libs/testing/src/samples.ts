// Reads the text that Prometheus scrapes.

/** A line of the text. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Only ends a test that would never end: a machine may be slow. */
const SCRAPED_WITHIN_MS = 60_000;

/**
 * The text of a process's metrics, or of another path of the same server.
 * @param address host and port
 * @throws {Error} when the process does not answer
 */
export async function scrapeText(address: string, path = '/metrics'): Promise<string> {
  const signal = AbortSignal.timeout(SCRAPED_WITHIN_MS);
  // Without keep-alive: a call fails if the process closes a kept connection at the same moment.
  const headers = { connection: 'close' };
  const response = await fetch(`http://${address}${path}`, { headers, signal });
  if (response.status === 200) return response.text();
  throw new Error(`the metrics of ${address} were answered ${response.status}`);
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

/** The number in a text, which may be `+Inf` or `-Inf` in the notation of Prometheus. */
const numberOf = (text: string): number => Number(text.replace('Inf', 'Infinity'));

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  );

/** The sum of the samples with this name and these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number {
  const wanted = Object.entries(labels);
  return samples
    .filter((sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
