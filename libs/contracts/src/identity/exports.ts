import { column, resource, type RowOf } from '@practice/resource';

export const practiceExports = resource({
  name: 'exports',
  service: 'identity',
  aggregate: 'export',
  description:
    'Exports of the practice, which `rpc/export_practice` begins. Only the response of that call has the link to the archive. For owners.',
  roles: { owner: 'read', therapist: 'none', read_only: 'none' },
  readOnly: true,
  isUndoable: false,
  columns: {
    requested_at: column.timestamp({ required: true, description: 'When the export was requested.' }),
    requested_by: column.uuid({ required: true, description: 'The owner who requested it.' }),
    status: column.text({
      required: true,
      oneOf: ['running', 'done', 'failed'],
      description: 'Done: the archive is complete. Failed: there is no archive; `problem` is the reason.',
    }),
    progress: column.integer({
      required: true,
      min: 0,
      max: 100,
      description: 'Percent of the files of the archive that are complete, in tens.',
    }),
    size: column.bigint({ min: 0, description: 'Bytes of the archive, once it is complete.' }),
    expires_at: column.timestamp({
      description: 'When the archive is deleted at the latest.',
    }),
    problem: column.text({ maxLength: 320, description: 'Why it failed.' }),
  },
  events: {
    ExportRequested: 'created',
    ExportProgressed: ['progress'],
    ExportCompleted: ['status', 'progress', 'size', 'expires_at'],
    ExportFailed: ['status', 'problem'],
  },
});

export type PracticeExport = RowOf<typeof practiceExports>;
