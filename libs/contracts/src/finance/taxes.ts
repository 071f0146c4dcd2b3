import { column, resource } from '@practice/resource';
import { percent } from './ledger-entries.js';

export const taxes = resource({
  name: 'taxes',
  service: 'finance',
  aggregate: 'tax',
  description: 'Rates of tax. An invoice item keeps the rate that it was given.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'delete' },
  columns: {
    name: column.text({ required: true, notBlank: true, maxLength: 320 }),
    rate: percent({ required: true, min: 0, max: 100, description: 'Percent, such as 19 or 7.7.' }),
  },
  events: { TaxAdded: 'created', TaxChanged: 'others', TaxRemoved: 'deleted' },
});
