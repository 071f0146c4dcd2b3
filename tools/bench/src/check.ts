// Checks, before anything is measured, that every side returns the expected number of rows for each read.

import type { HttpRequest } from './load/protocol.js';
import type { Side } from './measurement.js';
import { facts } from './scenario.js';
import type { Sizes } from './sizes.js';

/** @throws {Error} if a side returns another number of rows */
export async function check(sides: readonly Side[], { scenarios }: Sizes): Promise<void> {
  for (const side of sides) {
    for (const scenario of scenarios) {
      const { rows } = facts[scenario];
      if (rows === undefined) continue;
      const [{ path, headers }] = side.requests.of(scenario, 1) as [HttpRequest];
      const answer = await fetch(`${side.origin}${path}`, { headers });
      const count = rowsIn(await answer.text());
      if (count !== rows)
        throw new Error(
          `${side.name}: ${path} returned ${answer.status} with ${count} rows instead of ${rows}`,
        );
    }
  }
}

/** The rows of a JSON array, or of CSV without its heading. */
function rowsIn(text: string): number {
  if (!text.startsWith('[')) return text.split('\n').length - 1;
  return (JSON.parse(text) as unknown[]).length;
}
