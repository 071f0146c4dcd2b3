import { column, resource, type RowOf } from '@practice/resource';

/** The practice of seals, which belong to no practice: their log has the nil UUID instead. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000';

export const logSeals = resource({
  name: 'log_seals',
  service: 'identity',
  aggregate: 'log_seal',
  isPublic: false,
  appendOnly: true,
  isUndoable: false,
  description: 'A signed hash over the logs of all practices in one service, made once a day.',
  columns: {
    service: column.text({ required: true, maxLength: 63, description: 'The service that has the logs.' }),
    until: column.timestamp({
      required: true,
      description: 'The seal covers the events that were recorded before this instant: midnight UTC.',
    }),
    practices: column.integer({ required: true, description: 'How many practices had events by then.' }),
    root: column.text({ required: true, maxLength: 64, description: 'The hash, as hexadecimal digits.' }),
    seal: column.text({
      required: true,
      description:
        'A compact JWS (RFC 7515) of service, until, practices and root, with the public key in its header; the key is among the published ones on that day.',
    }),
  },
  events: { LogSealed: 'created' },
});

export type LogSeal = RowOf<typeof logSeals>;

/** Asks a service for the root of its log at an instant. The body has the instant. */
export const LOG_ROOT = 'log-root';
