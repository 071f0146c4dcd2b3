import { column, resource, type RowOf } from '@practice/resource';

/** The name of the subscription by which the service gets the erasures of practices. */
export const WEBHOOK_ERASURES = 'webhooks-erasures';

/** The name of the subscription to all events in version 0.2.0. Later versions delete the subscription. */
export const WEBHOOK_NEWS = 'webhooks-news';

export const webhookStatuses = ['active', 'paused', 'failing'] as const;

export const webhooks = resource({
  name: 'webhooks',
  service: 'webhooks',
  aggregate: 'webhook',
  description:
    'URLs that get the events of the practice by POST. Deliveries are in `webhook_deliveries`. A practice can have ten. For owners.',
  roles: { owner: 'delete', therapist: 'none', read_only: 'none' },
  isUndoable: false,
  columns: {
    url: column.text({
      required: true,
      format: 'url',
      maxLength: 2048,
      confidential: true,
      description:
        '`https`, on a public address (400 `PM010`). It may contain a secret, so it is not in events.',
    }),
    event_types: column.texts({
      description:
        'The types of the events that are sent, such as `AppointmentScheduled`; null: all of them.',
    }),
    description: column.text({ maxLength: 320 }),
    status: column.text({
      default: 'active',
      oneOf: webhookStatuses,
      description:
        'Paused: nothing is sent until it is active, then all missed events. Failing: set by the server after ten failed attempts; set it to active to continue with that event.',
    }),
    secret: column.text({
      isOneTimeSecret: true,
      readOnly: true,
      confidential: true,
      description:
        'Verifies signatures. Only the responses to the creation and to `rpc/rotate_webhook_secret` have it.',
    }),
    secret_rotated_at: column.timestamp({
      readOnly: true,
      description: 'When the secret was last replaced. The one before it signs too for 24 hours.',
    }),
    delivered_until: column.text({
      beside: 'webhook_progress',
      readOnly: true,
      confidential: true,
      description:
        'The cursor of the last event that was delivered or filtered out. Null before the first delivery and in past states.',
    }),
  },
  events: {
    WebhookCreated: 'created',
    WebhookDetailsChanged: ['url', 'event_types', 'description'],
    WebhookPaused: ['status'],
    WebhookActivated: ['status'],
    WebhookFailing: ['status'],
    WebhookSecretRotated: ['secret_rotated_at'],
    WebhookDeleted: 'deleted',
  },
  indexes: [['status']],
});

export type Webhook = RowOf<typeof webhooks>;
