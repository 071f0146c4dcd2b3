// The sections of a note. The template of the note defines their names; without a template, the format does.

import { noteFormats, noteTemplates, type SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import { brokenCheck, lookup, type Lookup, type LookupContext } from '@practice/resource';

type Sectioned = Pick<SessionNote, 'format' | 'template_id' | 'sections'>;

export const sectionLookups = ({ template_id: id }: Sectioned): Lookup[] => [
  lookup(noteTemplates, 'id', [id]),
];

/** @throws {Rejection} 23514 for a section that the template or the format does not have, or whose value is no text */
export function checkSections(note: Sectioned, context: LookupContext): void {
  const allowed = sectionsOf(note, context);
  for (const [name, text] of Object.entries(note.sections ?? {})) {
    if (typeof text !== 'string') broken(`the value of "${name.slice(0, 100)}" must be a text`);
    if (allowed !== null && !allowed.includes(name))
      broken(`"${name.slice(0, 100)}" is no section; the sections are ${allowed.join(', ')}`);
  }
}

/** The names of the sections; null if every name is allowed. */
function sectionsOf(
  { format, template_id: id }: Sectioned,
  context: LookupContext,
): readonly string[] | null {
  if (id === null) return noteFormats[format];
  const [template] = context.rows(noteTemplates, 'id', id);
  return Object.keys(template?.sections ?? {});
}

const hint =
  'Use the sections of the template in template_id, or else of the format. The format free has any.';

const broken = (details: string): never => reject(brokenCheck(`sections: ${details}.`, hint));
