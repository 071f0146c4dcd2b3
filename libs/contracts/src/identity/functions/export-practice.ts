import { column, defineFunction, returns } from '@practice/resource';
import { forOwners } from './callers.js';
import { recentProof } from './recent-proof.js';

export const exportPractice = defineFunction({
  name: 'export_practice',
  ...forOwners,
  description:
    'Begins an export of everything that an owner can read: each resource and history as NDJSON and CSV, in a ZIP archive. Follow it in `exports`. A practice can have one export at a time, and ten a day.',
  arguments: recentProof,
  returns: returns.object({
    id: column.uuid({ required: true, description: 'The row of `exports`.' }),
    requested_at: column.timestamp({ required: true, description: 'When the export was requested.' }),
    status: column.text({ required: true, oneOf: ['running'], description: 'As in `exports`.' }),
    link: column.text({
      required: true,
      confidential: true,
      description:
        'Downloads the archive once it is complete, for 24 hours, without a token. Only this response contains it.',
    }),
  }),
  inBackground: true,
});
