import { column, defineFunction, returns } from '@practice/resource';
import { forOwners, recentProof } from '../../identity/functions/callers.js';
import { erasures } from '../erasures.js';

const { id, client_id, requested_at, requested_by, reason, status, services } = erasures.columns;
const { completed_at, certificate } = erasures.columns;

export const eraseClient = defineFunction({
  name: 'erase_client',
  ...forOwners,
  service: 'clients',
  description:
    'Erases the personal values of a client everywhere: records, past states, histories, the log, stored responses, the bus. It cannot be undone. Records stay, with null in place of the values. New values are 409 `PM016`. Follow it in `erasures`. A repeated call returns the same row.',
  arguments: {
    client_id: column.uuid({ required: true, description: 'The client. A deleted one can be erased too.' }),
    reason: column.text({
      notBlank: true,
      maxLength: 500,
      description: 'Why. It is kept, also in the certificate: do not name the client in it.',
    }),
    ...recentProof,
  },
  returns: returns.object({
    ...{ id, client_id, requested_at, requested_by, reason, status, services, completed_at, certificate },
  }),
  isAccepted: true,
  needsProof: 'always',
});
