import { column } from '@practice/resource';
import { sessions } from '../sessions.js';

const { subjective, objective, assessment, plan, sections } = sessions.columns;

export const draftTexts = { subjective, objective, assessment, plan, sections } as const;

export const draftedNote = column.uuid({ required: true, description: 'The note.' });

export const draftVersion = column.uuid({
  description:
    'The version of the draft that the caller has seen; null without one. 412 `PM006` for another one.',
});
