import { column, external, resource, type RowOf } from '@practice/resource';

export const clientStatuses = ['active', 'inactive', 'archived'] as const;

const personal = { of: 'id' } as const;

const imported = external('clients', personal);

export const clients = resource({
  name: 'clients',
  service: 'clients',
  aggregate: 'client',
  description: 'The clients of the practice.',
  roles: { front_desk: 'write', billing: { may: 'read', shows: ['name'] } },
  columns: {
    name: column.text({ required: true, notBlank: true, maxLength: 320, personal }),
    email: column.text({ format: 'email', maxLength: 320, personal }),
    phone: column.text({ maxLength: 320, personal }),
    status: column.text({ default: 'active', oneOf: clientStatuses }),
    total_visits: column.integer({
      default: 0,
      min: 0,
      description:
        'Number of completed appointments, counted by the server. Set it for an opening balance or a correction.',
    }),
    ...imported.columns,
  },
  events: {
    ClientRegistered: 'created',
    ClientRenamed: ['name'],
    ClientContactChanged: 'others',
    ClientStatusChanged: ['status'],
    ClientVisitsCorrected: ['total_visits'],
    ClientVisitCounted: ['total_visits'],
    ClientVisitUncounted: ['total_visits'],
    ClientDeleted: 'deleted',
  },
  acts: ['countVisit', 'uncountVisit'],
  uniques: [imported.unique],
  indexes: [['name']],
  search: { title: 'name', in: ['name', 'email', 'phone'] },
  hintWhenReferenced: 'Archive the client instead: set status to archived.',
});

export type Client = RowOf<typeof clients>;
