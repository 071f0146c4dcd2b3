import { column, plainTable } from '@practice/resource';

/** The table with one row for each attempt to deliver. Neither the body of a delivery nor the response is stored. */
export const webhookDeliveries = plainTable({
  name: 'webhook_deliveries',
  service: 'webhooks',
  description:
    'Attempts to deliver events to webhooks: one row for each, kept for 30 days. Neither the event nor the response is stored. Read-only, for owners.',
  roles: { owner: 'read', therapist: 'none', read_only: 'none' },
  columns: {
    id: column.uuid({ required: true, description: 'The id of the row.' }),
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    webhook_id: column.uuid({ required: true, description: 'The webhook. It may be deleted.' }),
    event_id: column.text({
      required: true,
      description: 'The `id` of the event, and the header `webhook-id` of the delivery.',
    }),
    type: column.text({
      required: true,
      description: 'The type of the event: `AppointmentScheduled`; `Ping` for `rpc/test_webhook`.',
    }),
    at: column.timestamp({ required: true, description: 'When the attempt began.' }),
    attempt: column.integer({
      required: true,
      description: 'The number of the attempt at this event, from 1.',
    }),
    status: column.text({
      required: true,
      oneOf: ['delivered', 'retrying', 'failed'],
      description: 'Retrying: it is sent again at `next_attempt_at`. Failed: it was the last attempt.',
    }),
    response_status: column.integer({
      description: 'The HTTP status of the response; null without one.',
    }),
    duration_ms: column.integer({ required: true, description: 'How long the attempt took.' }),
    error: column.text({ description: 'Why it failed.' }),
    next_attempt_at: column.timestamp({ description: 'When the event is sent again.' }),
  },
});
