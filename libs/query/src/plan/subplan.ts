// A part of a request whose other parts other services answer. Plans do not travel: each service makes them anew, from the
// text of the whole request and the way to its part, and so under its own eyes.

import { parseRequest } from '../parse/request.js';
import type { Field } from '../parse/name.js';
import type { Format } from '../compose/pieces.js';
import { planField } from './columns.js';
import { resourceOf } from './context.js';
import type { PlanContext } from './context.js';
import { embedAt, boundKeys } from './semi-join-keys.js';
import type { EmbedPath, BoundKeys, FetchedField } from './semi-join-keys.js';
import { planEmbeds } from './read-node.js';
import type { PlannedEmbed, PlannedField } from './read-plan.js';
import { checkPractice } from './practice.js';

/** What is asked of one relation of a request. */
export type SubplanQuestion =
  /** Its rows, for the keys that come with the question. */
  | { readonly kind: 'rows'; readonly path: EmbedPath; readonly format: Format }
  /** Keys, to filter and to order the rows outside by. */
  | {
      readonly kind: 'keys';
      readonly path: EmbedPath;
      readonly matching: boolean;
      readonly values: readonly FetchedFieldRef[];
      readonly ranks: readonly Field[];
    };

/** A field of the relation's records, or of others that they lead to: the places of those embeds. */
export interface FetchedFieldRef extends Field {
  readonly through?: EmbedPath;
}

/** The request that a part is of. */
export interface WholeRequest {
  readonly resource: string;
  readonly query: string;
  /** As the caller prefers. */
  readonly timezone?: string | undefined;
}

interface PlannedSubplan {
  readonly embed: PlannedEmbed;
  readonly therapistId: string;
  readonly semiJoinKeys: BoundKeys;
}

export interface RowsPlan extends PlannedSubplan {
  readonly kind: 'rows';
  readonly format: Format;
}

export interface KeysPlan extends PlannedSubplan {
  readonly kind: 'keys';
  readonly matching: boolean;
  readonly values: readonly FetchedField[];
  readonly ranks: readonly PlannedField[];
}

/** @throws {Rejection} as a read of the whole request */
export function planSubplan(
  { resource, query, timezone }: WholeRequest,
  question: SubplanQuestion,
  context: PlanContext,
): RowsPlan | KeysPlan {
  const { options } = parseRequest({ method: 'GET', resource, query, headers: {}, body: new Uint8Array() });
  checkPractice(options.conditions, context.therapistId, resource);
  const embeds = [...planEmbeds(resourceOf(context, resource), options, { ...context, timezone }).values()];
  const embed = embedAt(embeds, question.path);
  const part = {
    embed,
    therapistId: context.therapistId,
    semiJoinKeys: boundKeys(embeds, context.semiJoinKeys ?? []),
  };
  if (question.kind === 'rows') return { kind: 'rows', format: question.format, ...part };
  const fields = (of: readonly Field[]): PlannedField[] =>
    of.map((field) => planField(embed.node.resource, field));
  const { matching, values, ranks } = question;
  const fetched = values.map((field) => planFetched(embed, field));
  return { kind: 'keys', matching, values: fetched, ranks: fields(ranks), ...part };
}

function planFetched(
  embed: PlannedEmbed,
  { name, path, through: [first, ...others] = [] }: FetchedFieldRef,
): FetchedField {
  if (first === undefined) return { through: [], field: planField(embed.node.resource, { name, path }) };
  const next = embedAt(embed.node.embeds, [first]);
  const inner = planFetched(next, { name, path, through: others });
  return { ...inner, through: [next, ...inner.through] };
}
