import { column, defineFunction, returns } from '@practice/resource';
import { serviceNames } from '../../catalog.js';

/** The services that a call concerns. An unknown name leads to an arbitrary service, which refuses the argument. */
function concernedBy(service: unknown): readonly string[] {
  if (service == null) return serviceNames;
  const named = serviceNames.filter((name) => name === service);
  return named.length > 0 ? named : serviceNames.slice(0, 1);
}

export const verifyLog = defineFunction({
  name: 'verify_log',
  service: {
    services: serviceNames,
    concerned: ({ service }) => concernedBy(service),
  },
  description:
    'Recomputes the hashes of the practice’s events, in every service or in one, and compares them with the stored ones. A call checks as many events as it can within a second; continue a longer log with `after`.',
  arguments: {
    service: column.text({ oneOf: serviceNames, description: 'Only this service.' }),
    after: column.bigint({ default: 0, min: 0, description: 'Checks the positions after this one.' }),
    upto: column.bigint({ min: 1, description: 'Checks the positions up to this one, instead of all.' }),
  },
  returns: returns.rows({
    service: column.text({ required: true, description: 'The service that has the log.' }),
    positions: column.bigint({ required: true, description: 'The last position that was checked.' }),
    head_hash: column.text({
      required: true,
      description:
        'The hash stored with the event at that position, as hexadecimal digits; empty for an empty log.',
    }),
    intact: column.boolean({
      description:
        'Whether nothing was changed, removed or added. Null if the call did not get to the end: continue after `positions`.',
    }),
    first_broken: column.bigint({
      description: 'The first position whose event is missing, was added, or differs from its hash.',
    }),
  }),
  effect: 'reads',
  roles: ['owner'],
});
