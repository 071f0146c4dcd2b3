import { isView } from '@practice/resource';
import { limits } from '../limits.js';
import { negotiated, type Media } from '../parse/media.js';
import type { ParsedRequest } from '../parse/request.js';
import { appliedPreferences, checkStrictness } from './applied.js';
import { planning, resourceOf, type PlanContext } from './context.js';
import { boundKeys, type BoundKeys } from './semi-join-keys.js';
import { capped, planReadNode } from './read-node.js';
import type { ReadNode, PlannedCondition, PlannedSelect } from './read-plan.js';
import { pagingOf } from './paging.js';
import { checkPractice } from './practice.js';
import { checkRight, seesAll } from './permission.js';
import { requiredValue } from '../parse/filter.js';

/** A read whose every name is resolved. */
export interface ReadPlan extends ReadNode {
  /** How many rows the caller asked for beyond what one read returns; null is all. */
  readonly beyond: number | null;
  readonly isCounted: boolean;
  /** Whether the response has a version: it shows one record, and the role sees every column. A version shows that hidden columns change. */
  readonly isVersioned: boolean;
  /** The time zone in which timestamps are read and shown; null is UTC. */
  readonly timezone: string | null;
  /** The instant whose state the read shows; null is the present. */
  readonly asOf: string | null;
  readonly media: Media;
  /** Whether the rows may come from a replica. */
  readonly mayBeOld: boolean;
  /** False for HEAD. */
  readonly hasBody: boolean;
  /** Present for a page by cursor. */
  readonly paging?: 'first' | 'next';
  readonly canonicalQuery: string;
  /** Keys of other services' records; null if the read is about one service only. */
  readonly semiJoinKeys: BoundKeys | null;
  /** The value of Preference-Applied. */
  readonly applied: string | null;
}

/**
 * Plans a GET or HEAD.
 * @throws {Rejection} PGRST205, 42501, the errors of `planReadNode`, PGRST107, PGRST122
 */
export function planRead(parsed: ParsedRequest, context: PlanContext): ReadPlan {
  const { options, range, preferences } = parsed;
  const resource = resourceOf(context, parsed.resource);
  checkRight(resource, context.practiceRole, 'read');
  checkPractice(options.conditions, context.therapistId, resource.name);
  const { timezone, asOf } = preferences;
  const plan = planning(context, preferences);
  const node = planReadNode(resource, { ...options, depth: 0 }, { planning: plan, isSpreadToOne: false });
  const paging = pagingOf(parsed, node);
  const media = negotiated(parsed.accept);
  checkStrictness(preferences);
  plan.problems.report();
  return {
    ...node,
    ...capped(range),
    beyond: range.limit && Math.max(0, range.limit - limits.readRows),
    isCounted: preferences.count !== null,
    isVersioned:
      !isView(resource) &&
      namesOneRecord(node.where) &&
      isOfOneVersion(node.select) &&
      seesAll(resource, context.practiceRole),
    timezone,
    asOf,
    // A replica may be behind the first page.
    mayBeOld: preferences.read === 'replica' && paging !== 'next',
    ...(paging !== undefined && { paging }),
    media,
    hasBody: parsed.method !== 'HEAD',
    canonicalQuery: parsed.canonicalQuery,
    semiJoinKeys: context.semiJoinKeys === undefined ? null : boundKeys(node.embeds, context.semiJoinKeys),
    applied: appliedPreferences(preferences, { pages: paging !== undefined }),
  };
}

/** The id that a condition requires, as the caller wrote it; null for any condition but `id=eq.…`. */
export function requiredId(condition: PlannedCondition): string | null {
  if (condition.kind !== 'filter') return null;
  const { field, operator, operand, negated } = condition;
  if (field.column.name !== 'id' || field.path.length > 0) return null;
  return requiredValue({ operator: operator.name, operand, negated });
}

/** Whether the conditions name one record by its id. They may have further requirements. */
export const namesOneRecord = (where: readonly PlannedCondition[]): boolean =>
  where.some((condition) => requiredId(condition) !== null);

/** Whether the version of one record identifies the response: related records change without changing that version. */
export const isOfOneVersion = ({ isGrouped, items }: PlannedSelect): boolean =>
  !isGrouped && items.every(({ kind }) => kind === 'value');
