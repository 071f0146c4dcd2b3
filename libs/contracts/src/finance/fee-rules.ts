import { column, resource, type RowOf } from '@practice/resource';

export const feeRules = resource({
  name: 'fee_rules',
  service: 'finance',
  aggregate: 'fee_rule',
  description:
    'Fees for late cancellations and no-shows. The rule in force at the booking proposes a draft invoice. To change one, set `status` to ended and create another.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'delete' },
  columns: {
    kind: column.text({ required: true, oneOf: ['late_cancellation', 'no_show'], fixed: true }),
    service_id: column.uuid({
      references: 'service_menu',
      fixed: true,
      description: 'Only for this service, before rules without one.',
    }),
    notice_hours: column.integer({
      default: 24,
      min: 0,
      max: 8760,
      fixed: true,
      description: 'A cancellation is late if recorded less than this before the start.',
    }),
    amount: column.money({
      min: 0.01,
      fixed: true,
      description: 'Without tax. Null: `percent` of the price.',
    }),
    percent: column.decimal(
      5,
      2,
    )({
      default: '100.00',
      min: 0,
      max: 100,
      fixed: true,
      description: 'The share of the price of the appointment.',
    }),
    status: column.text({ default: 'active', oneOf: ['active', 'ended'] }),
    ended_at: column.timestamp({ readOnly: true, description: 'Set by the server.' }),
  },
  events: { FeeRuleAdded: 'created', FeeRuleEnded: ['status', 'ended_at'], FeeRuleDeleted: 'deleted' },
  indexes: [['kind']],
});

export type FeeRule = RowOf<typeof feeRules>;
