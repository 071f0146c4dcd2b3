import type { PracticeRole } from '@practice/core';
import type { ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import type { WireQuestion } from '../wire/wire.js';
import { planComposition, type Composition, type KeysStep, type RowsStep } from './composition.js';
import { subqueryAt } from './subquery.js';

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
