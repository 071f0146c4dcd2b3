// Plans a subquery: the part of a request that reads records of another service. A subquery is sent parsed and without the rest of
// the request, so a service plans only its own part.

import type { Format } from './pieces.js';
import type { Field } from '../parse/name.js';
import type { QueryOptions } from '../parse/query-options.js';
import { planField } from './columns.js';
import { planning, resourceOf, type PlanContext, type Planning } from './context.js';
import { checkRight, checkSeen } from './permission.js';
import { checkPractice } from './practice.js';
import { planReadNode } from './read-node.js';
import type { PlannedField, ReadNode } from './read-plan.js';
import { boundKeys, embedAt, type BoundKeys, type EmbedPath, type FetchedField } from './semi-join-keys.js';

/** Related records as a query of their own. */
export interface Subquery {
  readonly resource: string;
  readonly options: QueryOptions;
  /** The number of nodes around the subquery. */
  readonly depth: number;
  /** The column that is compared with the keys of the records outside. */
  readonly key: string;
  /** Whether a key has at most one record. */
  readonly isToOne: boolean;
  /** Whether its members become members of the records outside. */
  readonly isSpread: boolean;
  /** The caller's time zone; null is UTC. */
  readonly timezone: string | null;
  /** The instant that the whole request reads; null is the present. */
  readonly asOf: string | null;
  /** Whether the rows may come from a replica. */
  readonly mayBeOld?: boolean;
}

/** The result that a subquery is asked for. */
export type SubqueryResult =
  /** The rows for the keys that are sent with the subquery. */
  | { readonly kind: 'rows'; readonly format: Format }
  /** Keys to filter and order the outer rows by. */
  | {
      readonly kind: 'keys';
      readonly matching: boolean;
      readonly values: readonly FetchedFieldRef[];
      readonly ranks: readonly Field[];
    };

/** A field of the records, or of related records. `through` has the positions of the embeds that lead to these. */
export interface FetchedFieldRef extends Field {
  readonly through?: EmbedPath;
}

interface Subplan extends Pick<Subquery, 'key' | 'isSpread' | 'asOf'> {
  readonly node: ReadNode;
  readonly relation: { readonly isToOne: boolean };
  readonly semiJoinKeys: BoundKeys;
}

export interface RowsPlan extends Subplan {
  readonly kind: 'rows';
  readonly format: Format;
}

export interface KeysPlan extends Subplan {
  readonly kind: 'keys';
  readonly matching: boolean;
  readonly values: readonly FetchedField[];
  readonly ranks: readonly PlannedField[];
}

/** @throws {Rejection} as a read of the resource with these options */
export function planSubquery(
  { resource: name, options, depth, key, isToOne, isSpread, timezone, asOf }: Subquery,
  result: SubqueryResult,
  context: PlanContext,
): RowsPlan | KeysPlan {
  const { therapistId, semiJoinKeys = [] } = context;
  checkPractice(options.conditions, therapistId, name);
  const plan = planning({ ...context, semiJoinKeys }, { timezone, asOf });
  const at = { planning: plan, isSpreadToOne: isSpread && isToOne };
  const resource = resourceOf(context, name);
  checkRight(resource, context.practiceRole, 'read');
  checkSeen(resource, context.practiceRole, key);
  const node = planReadNode(resource, { ...options, depth }, at);
  const subplan = {
    node,
    key,
    relation: { isToOne },
    isSpread,
    asOf,
    semiJoinKeys: boundKeys(node.embeds, semiJoinKeys),
  };
  const planned = resultOf(result, node, plan);
  plan.problems.report();
  return { ...planned, ...subplan };
}

function resultOf(result: SubqueryResult, node: ReadNode, { problems, practiceRole: role }: Planning) {
  if (result.kind === 'rows') return result;
  const fieldOf = ({ resource, alias }: ReadNode, { name, path }: Field): PlannedField =>
    planField({ resource, alias, problems, role }, { name, path });
  const fetched = ({ through = [], ...field }: FetchedFieldRef): FetchedField => {
    const embeds = through.map((_, index) => embedAt(node.embeds, through.slice(0, index + 1)));
    return { through: embeds, field: fieldOf(embeds.at(-1)?.node ?? node, field) };
  };
  return {
    kind: result.kind,
    matching: result.matching,
    values: result.values.map(fetched),
    ranks: result.ranks.map((field) => fieldOf(node, field)),
  };
}
