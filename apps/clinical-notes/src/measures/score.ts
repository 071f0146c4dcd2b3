// The score of a questionnaire, from its definition.

import type { Instrument } from '@practice/contracts';
import { reject } from '@practice/core';
import { brokenCheck, type JsonObject } from '@practice/resource';

/** The score of answers. @throws {Rejection} 23514 for a missing or invalid answer, or an answer to an unknown item */
export function scored({ items, factor = 1, bands, riskItem }: Instrument, answers: JsonObject) {
  const numbers = items.map((_, index) => String(index + 1));
  const odd = Object.keys(answers).find((name) => !numbers.includes(name));
  if (odd !== undefined) broken(`there is no item "${odd.slice(0, 100)}"`);
  for (const [index, allowed] of items.entries())
    if (!allowed.includes(answers[String(index + 1)] as number))
      broken(`the answer to item ${index + 1} must be one of ${allowed.join(', ')}`);
  const score = factor * numbers.reduce((sum, number) => sum + (answers[number] as number), 0);
  const [severity] = Object.entries(bands).findLast(([, least]) => score >= least) ?? [''];
  return {
    score,
    severity,
    hasRisk: riskItem !== undefined && (answers[String(riskItem)] as number) > 0,
  };
}

const hint = 'Give an answer to each item, by its number: {"1": 0, "2": 3}.';

const broken = (details: string): never => reject(brokenCheck(`answers: ${details}.`, hint));
