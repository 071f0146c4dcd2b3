import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { newestEntries, timelineKinds, timelineParts } from './timeline-parts.js';

const MOST = 200;
const DEFAULT = 50;

const services = [...new Set(timelineParts.map(({ resource }) => resource.service))].sort();

export const timeline = defineFunction({
  name: 'timeline',
  service: {
    services,
    concerned: () => services,
    combined: (rows, { limit }) => newestEntries(rows, Number(limit ?? DEFAULT)),
  },
  description: `The events of a client's records, newest first: appointments, notes, conversation, changes and money, as far as the caller reads them. Deleted records have no entries. The access log records the notes that were read for it.`,
  arguments: {
    client_id: column.uuid({ required: true, description: 'The client. An unknown one has no entries.' }),
    before: column.timestamp({
      description: 'Only entries before this instant: `at` of the last entry of the page before.',
    }),
    limit: column.integer({
      default: DEFAULT,
      min: 1,
      max: MOST,
      description:
        'Entries of a page. Entries of one instant stay together, so a page may have more. In a URL, `limit` takes the first ones of a page.',
    }),
  },
  returns: returns.rows({
    at: column.timestamp({ required: true, description: 'When it was recorded.' }),
    kind: column.text({ required: true, oneOf: timelineKinds }),
    title: column.text({
      required: true,
      description: 'A sentence about the event, without personal or confidential values.',
    }),
    resource: column.text({ required: true }),
    id: column.uuid({ required: true, description: 'The record.' }),
    change_id: column.text({ description: 'The write that made it, for `rpc/undo`.' }),
  }),
  effect: 'reads',
  roles: practiceRoles,
});
