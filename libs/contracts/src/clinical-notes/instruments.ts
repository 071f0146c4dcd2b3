// Questionnaires as data. The wording of the items is not included: a practice gets it from the publisher.

/** A questionnaire. Its score is the sum of the answers, multiplied by `factor`. */
export interface Instrument {
  readonly title: string;
  /** The answers that each item may have, in the order of the items. */
  readonly items: readonly (readonly number[])[];
  readonly factor?: number;
  /** Severity → the lowest score with this severity, in ascending order. */
  readonly bands: Readonly<Record<string, number>>;
  /** The LOINC code of the score, if there is one. */
  readonly loinc: string | null;
  /** The number of the item, from 1, that asks about self-harm. An answer above 0 causes an event. */
  readonly riskItem?: number;
}

const upTo = (most: number): readonly number[] => Array.from({ length: most + 1 }, (_, answer) => answer);
const times = (count: number, item: readonly number[]): (readonly number[])[] =>
  Array.from({ length: count }, () => item);

export const instruments = {
  'phq-9': {
    title: 'Patient Health Questionnaire, 9 items',
    items: times(9, upTo(3)),
    bands: { minimal: 0, mild: 5, moderate: 10, 'moderately severe': 15, severe: 20 },
    loinc: '44261-6',
    riskItem: 9,
  },
  'phq-2': {
    title: 'Patient Health Questionnaire, 2 items',
    items: times(2, upTo(3)),
    bands: { negative: 0, positive: 3 },
    loinc: '55758-7',
  },
  'gad-7': {
    title: 'Generalized Anxiety Disorder, 7 items',
    items: times(7, upTo(3)),
    bands: { minimal: 0, mild: 5, moderate: 10, severe: 15 },
    loinc: '70274-6',
  },
  'who-5': {
    title: 'WHO-5 Well-Being Index',
    items: times(5, upTo(5)),
    factor: 4,
    bands: { 'likely depression': 0, 'low well-being': 29, 'good well-being': 51 },
    loinc: null,
  },
  audit: {
    title: 'Alcohol Use Disorders Identification Test',
    items: [...times(8, upTo(4)), ...times(2, [0, 2, 4])],
    bands: { 'low risk': 0, hazardous: 8, harmful: 16, 'possible dependence': 20 },
    loinc: '75624-7',
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentName = keyof typeof instruments;
