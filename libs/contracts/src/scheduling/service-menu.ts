import { column, external, resource, type RowOf } from '@practice/resource';

const imported = external('service_menu');

export const serviceMenu = resource({
  name: 'service_menu',
  service: 'scheduling',
  aggregate: 'service',
  description: 'Services that the practice offers, with length and price.',
  roles: { front_desk: 'read', billing: 'read' },
  columns: {
    name: column.text({ required: true, notBlank: true, maxLength: 320 }),
    duration: column.integer({ required: true, min: 1, max: 1440, description: 'Minutes.' }),
    price: column.money({
      required: true,
      min: 0,
      description: 'Two decimals, in the `currency` of `practice_settings`.',
    }),
    capacity: column.integer({
      default: 1,
      min: 1,
      max: 500,
      description: 'Number of clients in one slot.',
    }),
    ...imported.columns,
  },
  uniques: [imported.unique],
  search: { title: 'name', in: ['name'] },
  events: {
    ServiceAdded: 'created',
    ServiceChanged: 'others',
    ServiceRemoved: 'deleted',
  },
});

export type ServiceMenuEntry = RowOf<typeof serviceMenu>;
