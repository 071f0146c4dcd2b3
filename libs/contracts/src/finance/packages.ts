import { column, resource, type RowOf } from '@practice/resource';

export const packages = resource({
  name: 'packages',
  service: 'finance',
  aggregate: 'package',
  description:
    'Prepaid sessions of a service. A completed appointment of the client and service uses one session of the oldest active package, unless an invoice already has it, and gives it back when the completion is undone.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'delete' },
  columns: {
    client_id: column.uuid({ required: true, references: 'clients', fixed: true }),
    service_id: column.uuid({ required: true, references: 'service_menu', fixed: true }),
    invoice_id: column.uuid({
      required: true,
      references: 'invoices',
      shares: ['client_id'],
      fixed: true,
      description: 'The invoice that the package is bought by. It has the price.',
    }),
    sessions: column.integer({ required: true, min: 1, max: 1000, fixed: true }),
    expires_on: column.date({ description: 'The last day of an appointment that can use it.' }),
    status: column.text({
      default: 'pending',
      oneOf: ['pending', 'active', 'void'],
      readOnly: true,
      description: 'Pending until the invoice is finalized, void when that is void or credited in full.',
    }),
    used: column.integer({ default: 0, min: 0, readOnly: true, description: 'Sessions that are used.' }),
    used_by: column.texts({ readOnly: true, description: 'The ids of the appointments that use them.' }),
  },
  events: {
    PackageSold: 'created',
    PackageChanged: ['expires_on'],
    PackageStatusChanged: ['status'],
    PackageSessionUsed: ['used', 'used_by'],
    PackageSessionReturned: ['used', 'used_by'],
    PackageDeleted: 'deleted',
  },
  indexes: [['client_id'], ['invoice_id']],
});

export type Package = RowOf<typeof packages>;
