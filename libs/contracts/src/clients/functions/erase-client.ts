import { column, defineFunction, returns } from '@practice/resource';
import { erasures } from '../erasures.js';

const { id, client_id, requested_at, requested_by, reason, status, services } = erasures.columns;
const { completed_at, certificate } = erasures.columns;

export const eraseClient = defineFunction({
  name: 'erase_client',
  service: 'clients',
  description:
    'Erases the personal values of a client everywhere: records, past states, histories, the log, stored responses, the bus. It cannot be undone. Records stay, with nulls. New values are 409 `PM016`. Follow it in `erasures`. A repeated call returns the same row.',
  arguments: {
    client_id: column.uuid({ required: true, description: 'The client. A deleted one can be erased too.' }),
    reason: column.text({
      notBlank: true,
      maxLength: 500,
      description: 'Why. It is kept, also in the certificate: do not name the client in it.',
    }),
    current_password: column.text({
      maxLength: 72,
      confidential: true,
      description: 'Required, or `nonce`, unless the caller has signed in within the last minutes.',
    }),
    nonce: column.text({ maxLength: 72, confidential: true, description: 'The code of `reauthenticate`.' }),
  },
  returns: returns.object({
    ...{ id, client_id, requested_at, requested_by, reason, status, services, completed_at, certificate },
  }),
  effect: 'writes',
  isAccepted: true,
  whenClosed: 'allowed',
  roles: ['owner'],
  needsSession: true,
  needsProof: 'always',
});
