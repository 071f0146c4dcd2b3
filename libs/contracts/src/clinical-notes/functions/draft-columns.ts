import { column } from '@practice/resource';

/** The texts of a draft. */
export const draftTexts = {
  subjective: column.text({ confidential: true }),
  objective: column.text({ confidential: true }),
  assessment: column.text({ confidential: true }),
  plan: column.text({ confidential: true }),
  sections: column.json({ confidential: true, maxBytes: 262_144, description: 'As in `sessions`.' }),
} as const;

export const draftedNote = column.uuid({ required: true, description: 'The note.' });

export const draftVersion = column.uuid({
  description:
    'The version of the draft that the caller has seen; null without one. 412 `PM006` for another one.',
});
