// A rebuild publishes its progress in the name of its connection, which every role of the server can see.

import type { Statement } from '@practice/log';

export interface RebuildProgress {
  /** Practices. */
  readonly folded: number;
  readonly all: number;
}

const prefix = (service: string): string => `${service} rebuild `;

/** Shows the progress of a rebuild on its own connection. */
export const showProgress = (service: string, folded: number, all: number) => ({
  text: `SELECT set_config('application_name', $1, false)`,
  values: [`${prefix(service)}${folded}/${all}`],
});

/** Selects the name of the connection of a rebuild that runs. */
export const rebuildsNamed = (service: string): Statement => ({
  text: `SELECT application_name FROM pg_stat_activity WHERE starts_with(application_name, $1) LIMIT 1`,
  values: [prefix(service)],
});

/** Reads the progress in the name of a connection; zeros if it has none. */
export function progressIn(name: string): RebuildProgress {
  const [, folded = 0, all = 0] = / (\d+)\/(\d+)$/.exec(name) ?? [];
  return { folded: Number(folded), all: Number(all) };
}
