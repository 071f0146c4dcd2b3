import { noteTemplates } from '@practice/contracts';
import { reject } from '@practice/core';
import { brokenCheck, deciderOf } from '@practice/resource';

/** The rules of a template: it has at least one section, and each section has a heading. */
export const noteTemplate = deciderOf(noteTemplates, {
  check({ sections }) {
    const headings = Object.values(sections);
    const isHeading = (heading: unknown) => typeof heading === 'string' && heading.trim() !== '';
    if (headings.length === 0 || !headings.every(isHeading)) reject(noHeading);
  },
});

const noHeading = brokenCheck(
  'sections: give at least one section, each with a text as its heading.',
  'Use an object such as {"mood": "Mood", "homework": "Homework"}.',
);
