import { column, resource } from '@practice/resource';

export const noteTemplates = resource({
  name: 'note_templates',
  service: 'clinical-notes',
  aggregate: 'note_template',
  description: 'The sections of session notes that a practice makes for itself.',
  columns: {
    name: column.text({ required: true, notBlank: true, maxLength: 320 }),
    sections: column.json({
      required: true,
      maxBytes: 16_384,
      description: 'Section → its heading: `{"mood": "Mood", "homework": "Homework"}`.',
    }),
  },
  example: { sections: { mood: 'Mood' } },
  events: { NoteTemplateAdded: 'created', NoteTemplateChanged: 'others', NoteTemplateRemoved: 'deleted' },
});
