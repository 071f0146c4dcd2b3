import { negotiated } from '../parse/media.js';
import type { Media } from '../parse/media.js';
import { noPreferences } from '../parse/preferences.js';
import type { ParsedRequest } from '../parse/request.js';
import { appliedPreferences } from './applied.js';
import { resourceOf } from './context.js';
import type { PlanContext } from './context.js';
import { boundKeys } from './semi-join-keys.js';
import type { BoundKeys } from './semi-join-keys.js';
import { capped, planReadNode } from './read-node.js';
import type { ReadNode } from './read-plan.js';
import { checkPractice } from './practice.js';
import { isOfOneVersion, namesOneRecord } from './single.js';
import { checkStrictness } from './strictness.js';
import { beforeDatabase } from './error-precedence.js';

/** A read whose every name is resolved. */
export interface ReadPlan extends ReadNode {
  readonly kind: 'read';
  readonly therapistId: string;
  /** Whether the caller asked for more rows than one read answers. */
  readonly isCapped: boolean;
  readonly isCounted: boolean;
  /** Whether it is of one record, so that the answer has a version. */
  readonly isVersioned: boolean;
  /** The zone that timestamps are read and fetched in; null for UTC. */
  readonly timezone: string | null;
  readonly media: Media;
  /** False for HEAD. */
  readonly hasBody: boolean;
  readonly canonicalQuery: string;
  /** What is known of other services' records; null where only one service's are read. */
  readonly semiJoinKeys: BoundKeys | null;
  /** The value of Preference-Applied. */
  readonly applied: string | null;
}

/**
 * Plans a GET or HEAD.
 * @throws {Rejection} PGRST205, 42501, whatever `planReadNode` throws, PGRST107, PGRST122
 */
export function planRead(parsed: ParsedRequest, context: PlanContext): ReadPlan {
  const { options, range, preferences } = parsed;
  const resource = resourceOf(context, parsed.resource);
  checkPractice(options.conditions, context.therapistId, resource.name);
  const accepted = (): Media => {
    const media = negotiated(parsed.accept);
    checkStrictness(preferences);
    return media;
  };
  const { timezone } = preferences;
  const zoned = timezone === null ? context : { ...context, timezone };
  const node = beforeDatabase(() => planReadNode(resource, options, zoned), accepted);
  const media = accepted();
  const { offset, limit } = capped(range, context);
  // Member by member: on this path two spreads would cost more than all the rest of planning.
  return {
    kind: 'read',
    resource,
    therapistId: context.therapistId,
    embeds: node.embeds,
    select: node.select,
    where: node.where,
    order: node.order,
    offset,
    limit,
    isCapped: range.limit === null || range.limit > context.maxRows,
    isCounted: preferences.count !== null,
    isVersioned: namesOneRecord(node.where) && isOfOneVersion(node.select),
    timezone,
    media,
    hasBody: parsed.method === 'GET',
    canonicalQuery: parsed.canonicalQuery,
    semiJoinKeys: context.semiJoinKeys === undefined ? null : boundKeys(node.embeds, context.semiJoinKeys),
    applied: preferences === noPreferences ? null : appliedPreferences(preferences, {}),
  };
}
