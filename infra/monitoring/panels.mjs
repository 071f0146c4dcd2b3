// The panels of the dashboards: title, unit, and queries with their legends. `npm run generate` writes the JSON for Grafana.
// Each metric of a process has the labels `service` and `process`.

const HTTP = 'practice_http_request_duration_seconds';
const NATS = 'practice_nats_request_duration_seconds';
const rate = (metric, labels = '') => `rate(${metric}${labels && `{${labels}}`}[$__rate_interval])`;
const perSecond = (by, metric, labels) => `sum by (${by}) (${rate(metric, labels)})`;
const quantile = (share, by, metric, labels) =>
  `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (${rate(`${metric}_bucket`, labels)}))`;
const quantiles = (metric, labels) => [
  ['median', quantile(0.5, [], metric, labels)],
  ['95 %', quantile(0.95, [], metric, labels)],
  ['99 %', quantile(0.99, [], metric, labels)],
];

/** Requests of probes say nothing about callers. */
const CALLS = 'route!~"/readyz|/livez"';

/** @type {Readonly<Record<string, { title: string, rows: readonly [string, ...[title: string, unit: string, ...[legend: string, query: string][]][]][] }>>} */
export const dashboards = {
  overview: {
    title: 'Practice API: overview',
    rows: [
      [
        'Traffic',
        [
          'Requests by resource',
          'reqps',
          ['{{route}} {{resource}}', perSecond('route, resource', `${HTTP}_count`, CALLS)],
        ],
        ['Requests by method', 'reqps', ['{{method}}', perSecond('method', `${HTTP}_count`, CALLS)]],
      ],
      [
        'Errors',
        [
          'Responses by status',
          'reqps',
          ['{{status}}', perSecond('status', `${HTTP}_count`, `${CALLS}, status=~"4..|5.."`)],
        ],
        [
          'Share of failures',
          'percentunit',
          [
            '5xx',
            // There is no series of failures before the first failure.
            `(sum(${rate(`${HTTP}_count`, `${CALLS}, status=~"500|502|503|504"`)}) or vector(0)) / sum(${rate(`${HTTP}_count`, CALLS)})`,
          ],
        ],
        [
          'Problems by code',
          'reqps',
          ['{{service}} {{code}}', perSecond('service, code', 'practice_service_problems_total')],
        ],
        ['Refused by a limit', 'reqps', ['{{limit}}', perSecond('limit', 'practice_requests_refused_total')]],
      ],
      [
        'Latency',
        ['Records', 's', ...quantiles(HTTP, 'route="/rest/v1/*"')],
        ['Accounts', 's', ...quantiles(HTTP, 'route=~"/auth/v1/.*"')],
        [
          '99 % by resource',
          's',
          ['{{resource}} {{method}}', quantile(0.99, ['resource', 'method'], HTTP, 'resource!=""')],
        ],
        ['99 % over NATS', 's', ['{{to}}', quantile(0.99, ['to'], NATS)]],
      ],
      [
        'Saturation',
        [
          'Requests in flight',
          'short',
          ['{{process}}', 'practice_http_requests_in_flight'],
          ['connections of {{process}}', 'practice_http_connections'],
        ],
        ['Busy event loops', 'percentunit', ['{{process}}', 'practice_event_loop_utilization']],
        [
          'Queues of practices',
          'short',
          ['{{queue}} {{state}}', 'sum by (queue, state) (practice_gateway_queue_requests)'],
        ],
        [
          'Wait in the queue of a practice, 99 %',
          's',
          ['{{queue}}', quantile(0.99, ['queue'], 'practice_gateway_queue_wait_seconds')],
        ],
        [
          'Free disk',
          'percentunit',
          ['disk', 'practice_disk_free_bytes / practice_disk_size_bytes'],
          ['reserve', 'practice_disk_reserve_bytes / practice_disk_size_bytes'],
        ],
      ],
    ],
  },
  events: {
    title: 'Practice API: logs and events',
    rows: [
      [
        'From the log to the stream',
        [
          'Events',
          'ops',
          ['{{service}} {{outcome}}', perSecond('service, outcome', 'practice_relay_events_total')],
        ],
        [
          'Time to the stream, 99 %',
          's',
          ['{{service}}', quantile(0.99, ['service'], 'practice_relay_delay_seconds')],
        ],
        ['Events in the outbox', 'short', ['{{service}}', 'max by (service) (practice_outbox_events)']],
        [
          'Oldest event in the outbox',
          's',
          ['{{service}}', 'max by (service) (practice_outbox_oldest_seconds)'],
        ],
        [
          'Logs published again',
          'ops',
          ['{{service}} {{reason}}', perSecond('service, reason', 'practice_relay_refills_total')],
        ],
      ],
      [
        'From the stream to its effect',
        [
          'Events',
          'ops',
          [
            '{{subscription}} {{outcome}}',
            perSecond('subscription, outcome', 'practice_subscription_events_total'),
          ],
        ],
        [
          'Time to the effect, 99 %',
          's',
          ['{{subscription}}', quantile(0.99, ['subscription'], 'practice_subscription_delay_seconds')],
        ],
        [
          'Pending events',
          'short',
          ['{{subscription}}', 'max by (subscription) (practice_subscription_pending_events)'],
        ],
        ['Lag', 's', ['{{subscription}}', 'max by (subscription) (practice_subscription_lag_seconds)']],
        ['Served', 'short', ['{{subscription}}', 'max by (subscription) (practice_subscription_served)']],
      ],
      [
        'From the log to readers outside',
        ['Open streams of events', 'short', ['{{process}}', 'practice_feed_streams']],
        [
          'Events sent to readers',
          'ops',
          ['{{process}}', perSecond('process', 'practice_feed_events_total')],
        ],
        [
          'Calendars made',
          'ops',
          ['{{process}}', perSecond('process', 'practice_calendar_build_duration_seconds_count')],
        ],
        [
          'Deliveries to webhooks',
          'ops',
          ['{{result}}', perSecond('result', 'practice_webhook_attempts_total')],
        ],
        [
          'Time to webhooks, 99 %',
          's',
          ['first attempt', quantile(0.99, [], 'practice_webhook_delay_seconds')],
        ],
        ['Waiting webhooks', 'short', ['{{state}}', 'max by (state) (practice_webhooks_waiting)']],
        ['Lag of webhooks', 's', ['lag', 'max(practice_webhook_lag_seconds)']],
      ],
      [
        'Streams and logs',
        ['Messages', 'short', ['{{stream}}', 'max by (stream) (practice_stream_messages)']],
        [
          'Size',
          'bytes',
          ['{{stream}}', 'max by (stream) (practice_stream_bytes)'],
          ['limit of {{stream}}', 'max by (stream) (practice_stream_most_bytes)'],
        ],
        ['Dead letters', 'short', ['{{subscription}}', 'max by (subscription) (practice_dead_letters)']],
        [
          'Time since the logs were checked',
          's',
          ['{{log}}', 'time() - practice_log_verified_timestamp_seconds'],
          ['{{log}} failed', 'practice_log_verification_failed'],
        ],
        [
          'Backups',
          's',
          // It is 0 before the first base backup, which would show the age of Unix time.
          ['time since the base backup', 'time() - (practice_backup_base_timestamp_seconds > 0)'],
          ['log that waits', 'practice_backup_waiting_seconds'],
        ],
        [
          'Rebuild',
          'short',
          ['{{service}} {{state}}', 'max by (service, state) (practice_rebuild_practices)'],
        ],
      ],
    ],
  },
  services: {
    title: 'Practice API: services and processes',
    rows: [
      [
        'Requests',
        [
          'Requests',
          'reqps',
          [
            '{{service}} {{operation}}',
            perSecond('service, operation', 'practice_service_request_duration_seconds_count'),
          ],
        ],
        [
          'Time, 99 %',
          's',
          [
            '{{service}} {{operation}}',
            quantile(0.99, ['service', 'operation'], 'practice_service_request_duration_seconds'),
          ],
        ],
        [
          'In progress',
          'short',
          ['{{process}}', 'practice_service_requests_in_flight'],
          ['{{process}} waits for others', 'practice_nats_requests_in_flight'],
        ],
      ],
      [
        'Postgres',
        [
          'Reads, 99 %',
          's',
          [
            '{{service}} {{connection}}',
            quantile(0.99, ['service', 'connection'], 'practice_postgres_read_duration_seconds'),
          ],
        ],
        [
          'Wait of reads, 99 %',
          's',
          [
            '{{service}} {{connection}}',
            quantile(0.99, ['service', 'connection'], 'practice_postgres_read_wait_seconds'),
          ],
        ],
        [
          'Reads that a replica may answer',
          'reqps',
          ['{{service}} {{server}}', perSecond('service, server', 'practice_postgres_replica_reads_total')],
        ],
        ['Lag of replicas', 's', ['{{process}}', 'practice_postgres_replica_lag_seconds']],
        [
          'Transactions, 99 %',
          's',
          [
            '{{service}} {{group}}',
            quantile(0.99, ['service', 'group'], 'practice_postgres_transaction_duration_seconds'),
          ],
        ],
        [
          'Connections',
          'short',
          ['{{process}} {{server}} {{state}}', 'practice_postgres_connections'],
          ['{{process}} {{server}} most', 'practice_postgres_connections_most'],
          ['waiting for {{process}} {{server}}', 'practice_postgres_connection_waiters'],
        ],
      ],
      [
        'Groups of writes',
        [
          'Writes in a group, mean',
          'short',
          [
            '{{service}} {{group}}',
            `${perSecond('service, group', 'practice_write_group_size_sum')} / ${perSecond('service, group', 'practice_write_group_size_count')}`,
          ],
        ],
        [
          'Wait for the group, 99 %',
          's',
          ['{{service}}', quantile(0.99, ['service'], 'practice_write_wait_seconds')],
        ],
        ['Writes that wait', 'short', ['{{process}}', 'practice_writes_waiting']],
      ],
      [
        'Processes',
        ['CPU', 'percentunit', ['{{process}}', rate('process_cpu_seconds_total')]],
        ['Memory', 'bytes', ['{{process}}', 'process_resident_memory_bytes']],
        [
          'Garbage collection',
          'percentunit',
          ['{{process}}', `sum by (process) (${rate('nodejs_gc_duration_seconds_sum')})`],
        ],
        ['Delay of the event loop, 99 %', 's', ['{{process}}', 'nodejs_eventloop_lag_p99_seconds']],
        [
          'Running',
          'short',
          ['{{process}}', 'practice_process_up'],
          ['starts of {{process}}', 'practice_process_starts_total'],
        ],
        [
          'NATS',
          'Bps',
          ['{{process}} {{direction}}', rate('practice_nats_bytes_total')],
          ['connected: {{process}}', 'practice_nats_connected'],
        ],
        ['Messages of NATS', 'ops', ['{{process}} {{direction}}', rate('practice_nats_messages_total')]],
      ],
    ],
  },
};
