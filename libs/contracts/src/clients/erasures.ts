import { column, resource, type RowOf } from '@practice/resource';

export const erasures = resource({
  name: 'erasures',
  service: 'clients',
  aggregate: 'erasure',
  description: 'Erasures of the personal values of clients, which `rpc/erase_client` begins. For owners.',
  roles: { owner: 'read', therapist: 'none', read_only: 'none' },
  readOnly: true,
  isUndoable: false,
  erasesClient: 'client_id',
  columns: {
    client_id: column.uuid({ required: true, description: 'The client whose personal values are erased.' }),
    requested_at: column.timestamp({ required: true, description: 'When the erasure was requested.' }),
    requested_by: column.uuid({ required: true, description: 'The owner who requested it.' }),
    reason: column.text({
      maxLength: 500,
      confidential: true,
      description: 'Why. It is kept: it must not name the client.',
    }),
    status: column.text({
      required: true,
      oneOf: ['running', 'done'],
      description: 'Done: no service has personal values of the client, and the certificate is signed.',
    }),
    services: column.json({
      required: true,
      description:
        'By service: `status` (running, done) and, once it is done, the number of `events` whose values are erased, `erased_at`, and `position` and `hash` of the end of the log.',
    }),
    completed_at: column.timestamp({ description: 'When the last service was done.' }),
    certificate: column.text({
      description:
        'A compact JWS (RFC 7515) of requester, time, reason and `services`. The key is in `/auth/v1/.well-known/jwks.json` and in the header.',
    }),
  },
  events: {
    ErasureRequested: 'created',
    ErasureProgressed: ['services'],
    ErasureCompleted: ['status', 'completed_at', 'certificate'],
  },
  indexes: [['client_id']],
});

export type Erasure = RowOf<typeof erasures>;
