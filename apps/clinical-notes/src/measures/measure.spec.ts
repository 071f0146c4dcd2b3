import { describe, expect, it } from '@jest/globals';
import { instruments, measures, type InstrumentName, type Measure } from '@practice/contracts';
import type { Command, EventOf } from '@practice/resource';
import { NOW, recordsOf, specOf } from '@practice/testing';
import { measure } from './measure.js';
import { scored } from './score.js';

type Measures = typeof measures;

const ada = '018f0000-0000-7000-8000-0000000000c1';
const given = specOf(measure);
const answersOf = (...answers: number[]) =>
  Object.fromEntries(answers.map((answer, index) => [String(index + 1), answer]));

describe('a score', () => {
  // Kroenke, Spitzer, Williams 2001 (PHQ-9), Spitzer et al. 2006 (GAD-7), Kroenke et al. 2003 (PHQ-2), WHO 1998 (WHO-5), Babor et
  // al. 2001 (AUDIT): the ends of each band.
  it.each<[InstrumentName, number[], number, string]>([
    ['phq-9', [0, 0, 0, 0, 0, 0, 0, 0, 0], 0, 'minimal'],
    ['phq-9', [1, 1, 1, 1, 0, 0, 0, 0, 0], 4, 'minimal'],
    ['phq-9', [1, 1, 1, 1, 1, 0, 0, 0, 0], 5, 'mild'],
    ['phq-9', [1, 1, 1, 1, 1, 1, 1, 1, 1], 9, 'mild'],
    ['phq-9', [2, 1, 1, 1, 1, 1, 1, 1, 1], 10, 'moderate'],
    ['phq-9', [2, 2, 2, 2, 2, 1, 1, 1, 1], 14, 'moderate'],
    ['phq-9', [2, 2, 2, 2, 2, 2, 1, 1, 1], 15, 'moderately severe'],
    ['phq-9', [3, 2, 2, 2, 2, 2, 2, 2, 2], 19, 'moderately severe'],
    ['phq-9', [3, 3, 2, 2, 2, 2, 2, 2, 2], 20, 'severe'],
    ['phq-9', [3, 3, 3, 3, 3, 3, 3, 3, 3], 27, 'severe'],
    ['gad-7', [1, 1, 1, 1, 0, 0, 0], 4, 'minimal'],
    ['gad-7', [1, 1, 1, 1, 1, 0, 0], 5, 'mild'],
    ['gad-7', [2, 2, 1, 1, 1, 1, 1], 9, 'mild'],
    ['gad-7', [2, 2, 2, 1, 1, 1, 1], 10, 'moderate'],
    ['gad-7', [2, 2, 2, 2, 2, 2, 2], 14, 'moderate'],
    ['gad-7', [3, 2, 2, 2, 2, 2, 2], 15, 'severe'],
    ['gad-7', [3, 3, 3, 3, 3, 3, 3], 21, 'severe'],
    ['phq-2', [1, 1], 2, 'negative'],
    ['phq-2', [2, 1], 3, 'positive'],
    ['who-5', [1, 2, 2, 1, 1], 28, 'likely depression'],
    ['who-5', [3, 3, 3, 2, 1], 48, 'low well-being'],
    ['who-5', [5, 5, 5, 5, 5], 100, 'good well-being'],
    ['audit', [3, 2, 2, 0, 0, 0, 0, 0, 0, 0], 7, 'low risk'],
    ['audit', [4, 4, 0, 0, 0, 0, 0, 0, 0, 0], 8, 'hazardous'],
    ['audit', [4, 4, 4, 0, 0, 0, 0, 0, 4, 0], 16, 'harmful'],
    ['audit', [4, 4, 4, 4, 4, 4, 4, 4, 4, 4], 40, 'possible dependence'],
  ])('of %s with %j is %i: %s', (instrument, answers, score, severity) => {
    expect(scored(instruments[instrument], answersOf(...answers))).toMatchObject({ score, severity });
  });

  it('reaches the highest band of each instrument, whose bands begin at 0', () => {
    for (const { items, bands, ...instrument } of Object.values(instruments)) {
      const most = answersOf(...items.map((allowed) => Math.max(...allowed)));
      expect(scored({ items, bands, ...instrument }, most).severity).toBe(Object.keys(bands).at(-1));
      const least: number[] = Object.values(bands);
      expect(least[0]).toBe(0);
      expect(least).toEqual(least.toSorted((a, b) => a - b));
    }
  });
});

const severe = answersOf(3, 3, 3, 3, 3, 3, 3, 3, 2);
const calm = answersOf(0, 0, 0, 0, 0, 0, 0, 0, 0);
const record = recordsOf(measures, { client_id: ada, instrument: 'phq-9', answers: calm, taken_at: NOW });
const of = { score: 0, severity: 'minimal', loinc: '44261-6', has_risk: false } as const;
const taken = (but: Partial<Measure> = {}): EventOf<Measures> => ({
  type: 'MeasureTaken',
  data: record({ ...of, ...but }),
});
const take = (but: Partial<Measure> = {}): Command<Measures> => ({
  kind: 'create',
  record: record({ score: null, severity: null, loinc: null, ...but }),
});
const raised: EventOf<Measures> = { type: 'MeasureRiskRaised', data: { has_risk: true } };
const change = (changes: object): Command<Measures> => ({ kind: 'change', changes });

describe('a measure', () => {
  it('has the score of its answers, and raises a risk if item 9 is above 0', () => {
    given().when(take()).then(taken());
    given()
      .when(take({ answers: severe }))
      .then(taken({ answers: severe, score: 26, severity: 'severe' }), raised);
  });

  it('of an instrument without a risk item raises no risk', () => {
    const answers = answersOf(3, 3, 3, 3, 3, 3, 3);
    const own = { instrument: 'gad-7', answers } as const;
    given()
      .when(take(own))
      .then(taken({ ...own, score: 21, severity: 'severe', loinc: '70274-6' }));
  });

  it('is rejected for a missing, invalid or additional answer, and for a wrong score', () => {
    given()
      .when(take({ answers: answersOf(1, 2) }))
      .thenRejects('23514', /item 3/);
    given()
      .when(take({ answers: { ...calm, 9: 4 } }))
      .thenRejects('23514', /item 9/);
    given()
      .when(take({ answers: { ...calm, 9: '1' } }))
      .thenRejects('23514', /item 9/);
    given()
      .when(take({ answers: { ...calm, 10: 0 } }))
      .thenRejects('23514', /no item/);
    given()
      .when(take({ score: 7 }))
      .thenRejects('428C9');
  });

  it('can be corrected: the score follows, and the risk is raised or withdrawn', () => {
    const corrected = { answers: severe, score: 26, severity: 'severe' };
    given(taken())
      .when(change({ answers: severe }))
      .then({ type: 'MeasureCorrected', data: corrected }, raised);
    given(taken({ ...corrected }), raised)
      .when(change({ answers: calm }))
      .then(
        { type: 'MeasureCorrected', data: { answers: calm, score: 0, severity: 'minimal' } },
        { type: 'MeasureRiskWithdrawn', data: { has_risk: false } },
      );
    given(taken())
      .when(change({ severity: 'severe' }))
      .thenRejects('428C9');
  });
});
