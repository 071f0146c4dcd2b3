import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { searchedIn, searchedResources } from './searched-resources.js';

const MAX_LENGTH = 200;

export const search = defineFunction({
  name: 'search',
  service: {
    services: [...new Set(searchedResources.map(({ service }) => service))].sort(),
    concerned: ({ resources }) => [...new Set(searchedIn(resources).map(({ service }) => service))].sort(),
  },
  description: `Finds records by words in them: spelling, case and accents may differ, and of telephone numbers only digits count. At most 50 records of each resource, the best first. Session notes (\`sessions\`, \`session_addenda\`) are searched only where \`resources\` names them, by whole words; the access log records it.`,
  arguments: {
    q: column.text({
      required: true,
      notBlank: true,
      maxLength: MAX_LENGTH,
      description: 'The words: a name, a part of it, or a telephone number.',
    }),
    resources: column.texts({
      description: `Only these: ${searchedResources.map(({ name }) => `\`${name}\``).join(', ')}. If omitted: all that the caller reads, except session notes.`,
    }),
  },
  example: { q: 'Jürgen Müler' },
  returns: returns.rows({
    resource: column.text({ required: true }),
    id: column.uuid({ required: true, description: 'The record.' }),
    title: column.text({ description: 'The name of the record, if it has one that the caller sees.' }),
    snippet: column.text({ description: 'The passage that was found, without markup.' }),
    rank: column.decimal(5, 4)({ required: true, description: 'From 0 to 1; 1 is the same text.' }),
  }),
  order: { column: 'rank', descending: true },
  effect: 'reads',
  roles: practiceRoles,
});
