import { reject } from '@practice/core';
import type { Catalog, Resource } from '@practice/resource';
import { nearestTable } from '../nearest.js';
import type { SemiJoinKeys } from './semi-join-keys.js';

/** What a plan is made against, beside the request. */
export interface PlanContext {
  readonly catalog: Catalog;
  /** The practice that asks: a lower-case uuid. */
  readonly therapistId: string;
  /** Rows that one read answers at most. */
  readonly maxRows: number;
  /** Given where records of other services may be embedded, too: what is known of them already. */
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
  /** The zone that timestamps are fetched in, where the caller prefers another one than UTC. */
  readonly timezone?: string | null | undefined;
}

/**
 * The resource of a name.
 * @throws {Rejection} PGRST205 with the nearest name in the hint
 */
export function resourceOf({ catalog }: PlanContext, name: string): Resource {
  return catalog.resources.get(name) ?? unknownResource(catalog, name);
}

function unknownResource(catalog: Catalog, name: string): never {
  const near = nearestTable(name, catalog.resources.keys());
  return reject({
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table 'public.${name.slice(0, 100)}' in the schema cache`,
    hint: near === null ? null : `Perhaps you meant the table 'public.${near}'`,
  });
}
