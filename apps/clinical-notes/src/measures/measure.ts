// The rules of a measure: score and severity follow from the answers, and an answer about self-harm has its own event.

import { instruments, measures, type Measure } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents, deciderOf, type EventOf } from '@practice/resource';
import { scored } from './score.js';

type Follows = Pick<Measure, 'score' | 'severity' | 'loinc' | 'has_risk'>;

export const measure = deciderOf(measures, {
  create(record, { now }, isUndo) {
    const follows = following(record);
    if (isUndo) return follows;
    checkGiven(record, follows, { score: null, severity: null, loinc: null, has_risk: false });
    const data = { ...record, ...follows, taken_at: record.taken_at ?? now, has_risk: false };
    return [{ type: 'MeasureTaken', data }, ...riskEvents(false, follows.has_risk)];
  },

  change(state, { changes, isUndo }) {
    const next = { ...state, ...changes, taken_at: changes.taken_at ?? state.taken_at };
    const follows = following(next);
    if (!isUndo) checkGiven(changes, follows, state);
    const { score, severity, loinc } = follows;
    const { has_risk: _, ...given } = { ...changes, taken_at: next.taken_at };
    const changed = Object.entries({ ...given, score, severity, loinc }).filter(
      ([name, value]) => state[name as keyof Measure] !== value,
    );
    return [
      ...changedEvents(measures, Object.fromEntries(changed), {
        has_risk: () => 'MeasureRiskRaised' as const,
      }),
      ...riskEvents(state.has_risk, follows.has_risk),
    ];
  },
});

/** The values that follow from the answers; the stored values if the answers were erased. */
function following(record: Pick<Measure, 'instrument' | 'answers' | keyof Follows>): Follows {
  const { instrument, answers } = record;
  const { loinc } = instruments[instrument];
  // An erasure makes a required value null.
  if ((answers as Measure['answers'] | null) === null) return { ...record, loinc };
  const { score, severity, hasRisk } = scored(instruments[instrument], answers);
  return { score, severity, loinc, has_risk: hasRisk };
}

const riskEvents = (before: boolean, after: boolean): EventOf<typeof measures>[] =>
  before === after
    ? []
    : [{ type: after ? 'MeasureRiskRaised' : 'MeasureRiskWithdrawn', data: { has_risk: after } }];

/** @throws {Rejection} 428C9 when the caller gives a value that does not follow from the answers */
function checkGiven(given: Partial<Follows>, follows: Follows, before: Follows): void {
  for (const name of ['score', 'severity', 'loinc', 'has_risk'] as const)
    if (given[name] !== undefined && given[name] !== follows[name] && given[name] !== before[name])
      reject('428C9', {
        message: `column "${name}" can only be ${String(follows[name])} for these answers`,
        details: `${name} follows from instrument and answers.`,
      });
}
