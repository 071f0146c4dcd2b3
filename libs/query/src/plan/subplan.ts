// Plans a subquery: the part of a request that reads records of another service. A subquery travels parsed and without the
// rest of the request, so a service plans only its own part.

import type { Format } from '../compose/pieces.js';
import type { Field } from '../parse/name.js';
import type { QueryOptions } from '../parse/query-options.js';
import { planField } from './columns.js';
import { resourceOf } from './context.js';
import type { PlanContext } from './context.js';
import { checkPractice } from './practice.js';
import { planReadNode } from './read-node.js';
import type { PlannedField, ReadNode } from './read-plan.js';
import { boundKeys, embedAt } from './semi-join-keys.js';
import type { BoundKeys, EmbedPath, FetchedField } from './semi-join-keys.js';

/** Related records as a query of their own. */
export interface Subquery {
  readonly resource: string;
  readonly options: QueryOptions;
  /** The column that is compared with the keys of the records outside. */
  readonly key: string;
  /** Whether a key has at most one record. */
  readonly isToOne: boolean;
  /** As the caller prefers; null for UTC. */
  readonly timezone: string | null;
}

/** What a subquery returns. */
export type SubqueryResult =
  /** Its rows, for the keys that are sent with it. */
  | { readonly kind: 'rows'; readonly format: Format }
  /** Keys, to filter and order the rows outside by. */
  | {
      readonly kind: 'keys';
      readonly matching: boolean;
      readonly values: readonly FetchedFieldRef[];
      readonly ranks: readonly Field[];
    };

/** A field of the records, or of others that relations lead to: the positions of those embeds. */
export interface FetchedFieldRef extends Field {
  readonly through?: EmbedPath;
}

interface Subplan {
  readonly node: ReadNode;
  readonly key: string;
  readonly isToOne: boolean;
  readonly therapistId: string;
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
  { resource: name, options, key, isToOne, timezone }: Subquery,
  result: SubqueryResult,
  context: PlanContext,
): RowsPlan | KeysPlan {
  const { therapistId, semiJoinKeys = [] } = context;
  checkPractice(options.conditions, therapistId, name);
  const resource = resourceOf(context, name);
  const node = planReadNode(resource, options, { ...context, semiJoinKeys, timezone });
  const subplan = { node, key, isToOne, therapistId, semiJoinKeys: boundKeys(node.embeds, semiJoinKeys) };
  if (result.kind === 'rows') return { ...result, ...subplan };
  const { kind, matching, values, ranks } = result;
  return {
    kind,
    matching,
    values: values.map((field) => planFetched(node, field)),
    ranks: ranks.map((field) => planField(resource, field)),
    ...subplan,
  };
}

function planFetched(
  node: ReadNode,
  { name, path, through: [first, ...others] = [] }: FetchedFieldRef,
): FetchedField {
  if (first === undefined) return { through: [], field: planField(node.resource, { name, path }) };
  const next = embedAt(node.embeds, [first]);
  const inner = planFetched(next.node, { name, path, through: others });
  return { ...inner, through: [next, ...inner.through] };
}
