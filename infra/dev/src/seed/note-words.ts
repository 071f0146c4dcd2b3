// Building blocks of the demo practice's notes, by the client's reason for coming. All invented.

export type Concern = 'anxiety' | 'low mood' | 'sleep' | 'grief' | 'work stress' | 'couple';

export interface NoteWords {
  readonly subjective: readonly string[];
  readonly assessment: readonly string[];
  readonly plan: readonly string[];
}

/** Observations for any reason. */
export const observed: readonly string[] = [
  'On time, oriented, good eye contact. Speech calm and coherent.',
  'Visibly tired; affect flat at first, brighter towards the end.',
  'Engaged throughout, some tension in the shoulders, laughed twice.',
  'Tearful for a few minutes, then composed. No signs of risk.',
  'Restless in the first ten minutes, settled with the breathing exercise.',
];

export const noteWords: Readonly<Record<Concern, NoteWords>> = {
  anxiety: {
    subjective: [
      'Reports two panic attacks since last time, both on the way to work.',
      'Took the train again for three stops; proud of it.',
      'Worries circle mostly in the evening; less checking of the phone.',
    ],
    assessment: [
      'Avoidance is slowly giving way; exposure steps are well chosen.',
      'Generalised anxiety, moderate; skills are used between sessions.',
      'Setback after a hard week, within what was to be expected.',
    ],
    plan: [
      'Next step of the exposure ladder; keep the thought record.',
      'Breathing twice a day; review the ladder next time.',
      'Continue weekly; invite a look at the feared outcome in full.',
    ],
  },
  'low mood': {
    subjective: [
      'Got up at the same time on five days of seven.',
      'Says that weekends feel empty; met a friend once.',
      'Energy a little better, appetite normal.',
    ],
    assessment: [
      'Mild to moderate low mood; activation begins to show.',
      'Self-criticism is loud, but noticed earlier than before.',
      'Stable; no thoughts of self-harm when asked.',
    ],
    plan: [
      'Two pleasant activities planned for fixed times.',
      'Compassionate letter as homework; mood chart goes on.',
      'Continue; repeat the questionnaire in two weeks.',
    ],
  },
  sleep: {
    subjective: [
      'Sleep diary: five and a half hours on average, long waking at four.',
      'Kept the bedroom free of screens; falls asleep sooner.',
      'Slept badly after travelling, better since.',
    ],
    assessment: [
      'Insomnia, improving; time in bed is still longer than sleep.',
      'Worry about sleep keeps it away more than noise does.',
      'Good response to the fixed rising time.',
    ],
    plan: [
      'Bed time half an hour later; diary goes on.',
      'Worry time at six in the evening; no clock in the bedroom.',
      'Hold the window for one more week, then widen it.',
    ],
  },
  grief: {
    subjective: [
      'Went through the letters with her sister; sad and good at once.',
      'The birthday was hard; the walk afterwards helped.',
      'Speaks of the last weeks in hospital for the first time.',
    ],
    assessment: [
      'Grief in its course; bonds are kept rather than cut.',
      'Waves are shorter; guilt is named more openly.',
      'Isolated at weekends; otherwise supported.',
    ],
    plan: [
      'A ritual for the anniversary; who shall be there?',
      'Bring a photograph next time, if it feels right.',
      'Continue every other week.',
    ],
  },
  'work stress': {
    subjective: [
      'Said no to a second project; waited for a storm that did not come.',
      'Headaches on three days; lunch at the desk again.',
      'Took the whole weekend off, without the laptop.',
    ],
    assessment: [
      'Exhaustion recedes; perfectionism stays the driver.',
      'Limits are known and not yet kept under pressure.',
      'Good week; recovery is planned rather than hoped for.',
    ],
    plan: [
      'One pause a day in the calendar; practise the sentence for the boss.',
      'List of what is good enough; review next time.',
      'Continue every other week; talk about the return to full hours.',
    ],
  },
  couple: {
    subjective: [
      'Both report fewer quarrels about money; one long talk went well.',
      'The week was tense; the agreed pause was used twice.',
      'They planned a weekend without the children.',
    ],
    assessment: [
      'Pursuit and withdrawal, now seen by both as a pattern.',
      'Repair after conflict is quicker.',
      'Old hurt came up; there is room for it in the sessions.',
    ],
    plan: [
      'Twenty minutes of listening, twice, with changed roles.',
      'Each writes down three things that the other did well.',
      'Continue every other week; next time the division of work.',
    ],
  },
};
