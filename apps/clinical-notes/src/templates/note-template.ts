// A template names at least one section, each with a heading.

import { noteTemplates, type NoteTemplate } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents, type Decider } from '@practice/resource';

type Templates = typeof noteTemplates;

export const noteTemplate: Decider<Templates> = {
  definition: noteTemplates,
  lookups: () => [],
  decide(command) {
    switch (command.kind) {
      case 'create':
        checkHeadings(command.record.sections);
        return [{ type: 'NoteTemplateAdded', data: command.record }];
      case 'change':
        if (command.changes.sections !== undefined) checkHeadings(command.changes.sections);
        return changedEvents(noteTemplates, command.changes);
      case 'delete':
        return [{ type: 'NoteTemplateRemoved', data: {} }];
    }
  },
};

function checkHeadings(sections: NoteTemplate['sections']): void {
  const headings = Object.values(sections);
  if (
    headings.length > 0 &&
    headings.every((heading) => typeof heading === 'string' && heading.trim() !== '')
  )
    return;
  reject({
    status: 400,
    code: '23514',
    message:
      'new row for relation "note_templates" violates check constraint "note_templates_sections_check"',
    details: 'sections: give at least one section, each with a text as its heading.',
    hint: 'Use an object such as {"mood": "Mood", "homework": "Homework"}.',
  });
}
