import { catalogOf, resultResource, type FunctionDefinition, type Resource } from '@practice/resource';
import { negotiated } from '../parse/media.js';
import type { ParsedRequest } from '../parse/request.js';
import { appliedPreferences, checkStrictness } from './applied.js';
import { columnsOf, wholeColumn } from './columns.js';
import { planning } from './context.js';
import { capped, planReadNode } from './read-node.js';
import type { PlannedOrder } from './read-plan.js';
import type { ReadPlan } from './read.js';
import type { WriteTerms } from './terms.js';

/** A read of the rows that a function returns, as if they were records. */
export interface CallPlan extends ReadPlan, Pick<WriteTerms, 'isSingular' | 'maxAffected' | 'minAffected'> {
  /** The function returns one object: the body is that object, without brackets. */
  readonly isObject: boolean;
  /** The function returns nothing. */
  readonly isVoid: boolean;
  /** The response is 202. */
  readonly isAccepted: boolean;
  /** The effects of a function that writes are rolled back. */
  readonly isDryRun: boolean;
}

/** The order in which the function returns its rows, as its definition states it; empty if it states none. */
function ownOrder({ order }: FunctionDefinition, resource: Resource): readonly PlannedOrder[] {
  const column = order === undefined ? undefined : columnsOf(resource).get(order.column);
  if (order === undefined || column === undefined) return [];
  return [{ by: { kind: 'field', field: wholeColumn(column) }, descending: order.descending, nulls: null }];
}

/**
 * Plans a call. Rows have the order in which the function returns them, unless the caller asks for another.
 * @throws {Rejection} the errors of `planReadNode`, PGRST107, PGRST122
 */
export function planCall(parsed: ParsedRequest, definition: FunctionDefinition): CallPlan {
  const { options, range, preferences, method } = parsed;
  const { timezone } = preferences;
  const isStrict = preferences.handling === 'strict';
  const resource = resultResource(definition);
  // Every role that may call the function sees the whole result, so the role of an owner is used.
  const context = { catalog: catalogOf([resource]), therapistId: '', practiceRole: 'owner' } as const;
  const plan = planning(context, preferences);
  const node = planReadNode(resource, { ...options, depth: 0 }, { planning: plan, isSpreadToOne: false });
  const media = negotiated(parsed.accept);
  checkStrictness(preferences);
  plan.problems.report();
  const { returns } = definition;
  const isObject = returns.kind === 'object' && media.shape === 'array';
  const asked = options.orders.find(({ embed }) => embed.length === 0)?.value.length ?? 0;
  const order = asked > 0 ? node.order.slice(0, asked) : ownOrder(definition, resource);
  return {
    ...node,
    ...capped(range),
    select: { ...node.select, source: 'columns' },
    order: node.select.isGrouped ? node.order : order,
    beyond: 0,
    isCounted: preferences.count !== null,
    isVersioned: false,
    timezone,
    asOf: null,
    mayBeOld: false,
    media: isObject ? { ...media, shape: 'object' } : media,
    hasBody: method !== 'HEAD',
    canonicalQuery: '',
    semiJoinKeys: null,
    applied: appliedPreferences(preferences, { affected: returns.kind !== 'nothing' }),
    isObject,
    isSingular: media.shape === 'object',
    maxAffected: isStrict ? preferences.maxAffected : null,
    minAffected: isStrict ? preferences.minAffected : null,
    isVoid: returns.kind === 'nothing',
    isAccepted: definition.isAccepted === true,
    isDryRun: preferences.tx === 'rollback',
  };
}
