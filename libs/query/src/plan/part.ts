// A part of a request whose other parts other services answer. Plans do not travel: each service makes them anew, from the
// text of the whole request and the way to its part, and so under its own eyes.

import { parseRequest } from '../parse/request.js';
import type { Field } from '../parse/name.js';
import type { Format } from '../compose/pieces.js';
import { planField } from './columns.js';
import { resourceOf } from './context.js';
import type { PlanContext } from './context.js';
import { embedAt, knownOf } from './known.js';
import type { EmbedPath, Known, Told } from './known.js';
import { planEmbeds } from './level.js';
import type { PlannedEmbed, PlannedField } from './planned.js';
import { checkPractice } from './practice.js';

/** What is asked of one relation of a request. */
export type PartQuestion =
  /** Its rows, for the keys that come with the question. */
  | { readonly kind: 'rows'; readonly path: EmbedPath; readonly format: Format }
  /** Keys, to filter and to order the rows outside by. */
  | {
      readonly kind: 'keys';
      readonly path: EmbedPath;
      readonly meeting: boolean;
      readonly values: readonly ToldField[];
      readonly ranks: readonly Field[];
    };

/** A field of the relation's records, or of others that they lead to: the places of those embeds. */
export interface ToldField extends Field {
  readonly through?: EmbedPath;
}

/** The request that a part is of. */
export interface WholeRequest {
  readonly resource: string;
  readonly query: string;
  /** As the caller prefers. */
  readonly timezone?: string | undefined;
}

interface PlannedPart {
  readonly embed: PlannedEmbed;
  readonly therapistId: string;
  readonly known: Known;
}

export interface RowsPlan extends PlannedPart {
  readonly kind: 'rows';
  readonly format: Format;
}

export interface KeysPlan extends PlannedPart {
  readonly kind: 'keys';
  readonly meeting: boolean;
  readonly values: readonly Told[];
  readonly ranks: readonly PlannedField[];
}

/** @throws {Rejection} as a read of the whole request */
export function planPart(
  { resource, query, timezone }: WholeRequest,
  question: PartQuestion,
  context: PlanContext,
): RowsPlan | KeysPlan {
  const { wishes } = parseRequest({ method: 'GET', resource, query, headers: {}, body: new Uint8Array() });
  checkPractice(wishes.conditions, context.therapistId, resource);
  const embeds = [...planEmbeds(resourceOf(context, resource), wishes, { ...context, timezone }).values()];
  const embed = embedAt(embeds, question.path);
  const part = { embed, therapistId: context.therapistId, known: knownOf(embeds, context.across ?? []) };
  if (question.kind === 'rows') return { kind: 'rows', format: question.format, ...part };
  const fields = (of: readonly Field[]): PlannedField[] =>
    of.map((field) => planField(embed.level.resource, field));
  const { meeting, values, ranks } = question;
  const told = values.map((field) => planTold(embed, field));
  return { kind: 'keys', meeting, values: told, ranks: fields(ranks), ...part };
}

function planTold(embed: PlannedEmbed, { name, path, through: [first, ...others] = [] }: ToldField): Told {
  if (first === undefined) return { through: [], field: planField(embed.level.resource, { name, path }) };
  const next = embedAt(embed.level.embeds, [first]);
  const inner = planTold(next, { name, path, through: others });
  return { ...inner, through: [next, ...inner.through] };
}
