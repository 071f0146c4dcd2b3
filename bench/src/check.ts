// Before anything is measured: each side answers what it is asked, and with as many rows as the other.

import type { HttpRequest } from './load/protocol.js';
import type { Side } from './measurement.js';
import { LIST_ROWS, PER_DAY } from './sizes.js';

/** @throws {Error} when a side answers something else than eight and fifty rows */
export async function check(sides: readonly Side[]): Promise<void> {
  for (const side of sides) {
    await expectRows(side, 'day', PER_DAY);
    await expectRows(side, 'list', LIST_ROWS);
  }
}

async function expectRows(side: Side, scenario: 'day' | 'list', expected: number): Promise<void> {
  const [request] = side.requests.of(scenario, 1) as [HttpRequest];
  const answer = await fetch(`${side.origin}${request.path}`, { headers: request.headers });
  const rows: unknown = await answer.json();
  const count = Array.isArray(rows) ? rows.length : 0;
  if (count !== expected)
    throw new Error(
      `${side.name}: ${request.path} was answered ${answer.status} with ${count} rows, not ${expected}`,
    );
}
