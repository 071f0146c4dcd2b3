import { problemFor, reject, type PracticeRole, type Problem } from '@practice/core';
import type { Catalog, Resource } from '@practice/resource';
import { nearestTable } from '../nearest.js';
import type { Preferences } from '../parse/preferences.js';
import type { SemiJoinKeys } from './semi-join-keys.js';

/** The inputs of a plan, besides the request. */
export interface PlanContext {
  readonly catalog: Catalog;
  /** The practice of the caller: a lower-case uuid. */
  readonly therapistId: string;
  /** The role of the caller in the practice. */
  readonly practiceRole: PracticeRole;
  /** The user of the request. Without a user, records that only their own user sees are not found. */
  readonly userId?: string;
  /** Present if relations of other services may be embedded: the keys fetched from those services so far. */
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
}

/** The context of one plan in the making. */
export interface Planning extends PlanContext {
  /** Whether the stored JSON of a record can be shown: it has present values, in UTC. */
  readonly isAsStored: boolean;
  readonly problems: DatabaseProblems;
}

export const planning = (
  context: PlanContext,
  { timezone, asOf }: Pick<Preferences, 'timezone' | 'asOf'>,
): Planning => ({
  ...context,
  isAsStored: timezone === null && asOf === null,
  problems: new DatabaseProblems(),
});

/**
 * The resource with this name.
 * @throws {Rejection} PGRST205 with the nearest name in the hint
 */
export const resourceOf = ({ catalog }: PlanContext, name: string): Resource =>
  catalog.readable.get(name) ?? reject(tableNotFound(catalog, name));

/** PGRST205: the resource does not exist. */
export function tableNotFound({ readable }: Catalog, name: string): Problem {
  const near = nearestTable(name, readable.keys());
  return problemFor('PGRST205', {
    message: `Could not find the table 'public.${name.slice(0, 100)}' in the schema cache`,
    hint: near === null ? null : `Perhaps you meant the table 'public.${near}'`,
  });
}

// The order in which problems are reported. PostgREST first checks its schema cache (relations), then the rest of the request
// (media type, preferences, body), and only then does Postgres look at columns, types and operators.

/**
 * Problems that only the database would find. Planning notes them and continues with a placeholder, so that every problem of an
 * earlier rank is reported first.
 */
export class DatabaseProblems {
  private first: Problem | null = null;

  /** Keeps a problem; only the first one is ever reported. */
  note(problem: Problem): void {
    this.first ??= problem;
  }

  /**
   * Reports the first noted problem. Call it after everything of an earlier rank has been checked.
   * @throws {Rejection}
   */
  report(): void {
    if (this.first !== null) reject(this.first);
  }
}
