import type { PracticeRole } from '@practice/core';
import type { Catalog } from '@practice/resource';
import type { ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import type { WireQuestion } from '../wire/wire.js';
import { planComposition, type Composition, type KeysStep, type RowsStep } from './composition.js';
import { noOptions } from '../parse/query-options.js';
import { optionsOfEmbeds } from '../plan/node-options.js';
import { planRelation } from '../plan/relation.js';
import type { EmbedPath, SemiJoinKeys } from '../plan/semi-join-keys.js';
import type { Subquery } from '../plan/subplan.js';

/** A composition that is planned once for each role, for all practices, unless the request names a practice. */
export class PreparedComposition {
  private readonly isShared: boolean;
  private readonly shared = new Map<PracticeRole, Composition | null>();
  private readonly questions = new WeakMap<KeysStep | RowsStep, string>();

  constructor(private readonly request: ParsedRequest) {
    this.isShared = !namesPractice(request.options.conditions);
  }

  /** @throws {Rejection} as `planComposition` */
  for(context: PlanContext): Composition | null {
    if (!this.isShared) return planComposition(this.request, context);
    const known = this.shared.get(context.practiceRole);
    if (known !== undefined) return known;
    const composition = planComposition(this.request, context);
    this.shared.set(context.practiceRole, composition);
    return composition;
  }

  /** The question of a step to its service: JSON without line breaks, from which the service makes a `PreparedSubquery`. */
  question(step: KeysStep | RowsStep, { catalog }: Pick<PlanContext, 'catalog'>): string {
    const known = this.questions.get(step);
    if (known !== undefined) return known;
    const question: WireQuestion = {
      subquery: subqueryAt(this.request, step.path, catalog),
      result: 'result' in step ? step.result : { kind: 'rows', format: step.format },
    };
    const text = JSON.stringify(question);
    this.questions.set(step, text);
    return text;
  }
}

/**
 * The part of a request that reads one relation, as a query of its own.
 * @param path the path to the relation, as in a composition
 * @throws {Error} if the request embeds nothing at this path
 */
export function subqueryAt(
  { resource, options: urlOptions, preferences }: ParsedRequest,
  path: EmbedPath,
  catalog: Catalog,
): Subquery {
  const { timezone, asOf } = preferences;
  const old = preferences.read === 'replica' && { mayBeOld: true };
  let at: Subquery = {
    resource,
    options: urlOptions,
    depth: 0,
    key: 'id',
    isToOne: false,
    isSpread: false,
    ...{ timezone, asOf, ...old },
  };
  for (const position of path) {
    const [item, inner] = optionsOfEmbeds({ ...at.options, depth: at.depth })[position] ?? [];
    const parent = catalog.readable.get(at.resource);
    if (item === undefined || inner === undefined || parent === undefined)
      throw new Error(`nothing is embedded at ${path.join('.')}`);
    const { resource: related, there, isToOne } = planRelation(parent, item, catalog);
    const { depth, ...own } = inner;
    const options = { ...noOptions, ...own };
    at = {
      resource: related.name,
      options,
      depth,
      key: there,
      isToOne,
      isSpread: item.spread,
      ...{ timezone, asOf, ...old },
    };
  }
  return at;
}

/** The keys of embeds below a path, with their own paths made relative to it. */
export const keysBelow = (keys: readonly SemiJoinKeys[], path: EmbedPath): readonly SemiJoinKeys[] =>
  keys
    .filter((known) => known.path.length > path.length && path.every((at, depth) => known.path[depth] === at))
    .map((known) => ({ ...known, path: known.path.slice(path.length) }));
