import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { catalog } from '../catalog.js';

const resources = [...catalog.resources.values()].filter(({ isUndoable }) => isUndoable !== false);
const services = [...new Set(resources.map(({ service }) => service))].sort();

/** The function `batch`. The gateway coordinates it, and sends each service its operations. */
export const batch = defineFunction({
  name: 'batch',
  service: { services, concerned: () => services },
  isCoordinated: true,
  description:
    'Carries out up to 100 writes in order, all or none. In one service they are one transaction and one change. Across services they follow each other, and if one is refused, those before it are undone.',
  arguments: {
    operations: column.jsonArray({
      required: true,
      description:
        'Objects with `method` (POST if omitted), `path` (`<resource>?<query>`), `body`, `prefer`, and `as`, a name: later operations may use `$name.column`.',
    }),
  },
  example: { operations: [{ as: 'ada', method: 'POST', path: 'clients', body: { name: 'Ada' } }] },
  returns: returns.object({
    atomic: column.text({
      required: true,
      oneOf: ['service', 'compensated'],
      description: '`service`: one transaction; `compensated`: several services.',
    }),
    operations: column.jsonArray({
      required: true,
      description: 'For each operation `as`, `status` and `body`.',
    }),
  }),
  effect: 'writes',
  roles: practiceRoles.filter((role) => role !== 'read_only'),
});
