import { column, resource, type RowOf } from '@practice/resource';

export const feeRules = resource({
  name: 'fee_rules',
  service: 'finance',
  aggregate: 'fee_rule',
  description:
    'Fees for late cancellations and no-shows. The rule that was in force when the appointment was booked proposes a draft invoice. Set `status` to ended and create another rule to change one.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'delete' },
  columns: {
    kind: column.text({ required: true, oneOf: ['late_cancellation', 'no_show'], fixed: true }),
    service_id: column.uuid({
      references: 'service_menu',
      fixed: true,
      description: 'Only for appointments of this service, before rules without a service.',
    }),
    notice_hours: column.integer({
      default: 24,
      min: 0,
      max: 8760,
      fixed: true,
      description: 'A cancellation is late when it is recorded less than this before the start.',
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
    ended_at: column.timestamp({ readOnly: true, description: 'When it ended, set by the server.' }),
  },
  events: { FeeRuleAdded: 'created', FeeRuleEnded: ['status', 'ended_at'], FeeRuleDeleted: 'deleted' },
  indexes: [['kind']],
});

export type FeeRule = RowOf<typeof feeRules>;
