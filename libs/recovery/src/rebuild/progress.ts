// The progress of a rebuild. It is published as the name of the rebuild's connection, which every role of the server can see.

import type { Statement } from '@practice/log';

const prefix = (service: string): string => `${service} rebuild `;

/** SQL that shows the progress of a rebuild. It runs on the rebuild's own connection. */
export const showProgress = (service: string, folded: number, all: number) => ({
  text: `SELECT set_config('application_name', $1, false)`,
  values: [`${prefix(service)}${folded}/${all}`],
});

/** SQL that selects the name of the connection of a running rebuild. */
export const rebuildsNamed = (service: string): Statement => ({
  text: `SELECT application_name FROM pg_stat_activity WHERE starts_with(application_name, $1) LIMIT 1`,
  values: [prefix(service)],
});

/** The numbers of practices that are folded, and of all, in the name of a connection; zeros if the name has none. */
export function progressIn(name: string) {
  const [, folded = 0, all = 0] = / (\d+)\/(\d+)$/.exec(name) ?? [];
  return { folded: Number(folded), all: Number(all) };
}
