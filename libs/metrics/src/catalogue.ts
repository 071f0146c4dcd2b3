// All metrics of the product. docs/metrics.md, the alert rules and the dashboards use these names, and specs compare them. A label has
// a limited set of values: names of resources, services and subscriptions, codes, and kinds. It never has a value that a caller sends,
// such as an id, a name, an address or a path.

export type MetricKind = 'histogram' | 'counter' | 'gauge';

export interface MetricDefinition {
  readonly kind: MetricKind;
  /** The processes that export it. */
  readonly from:
    | 'gateway'
    | 'live'
    | 'webhooks'
    | 'services'
    | 'gateway and services'
    | 'supervisor'
    | 'every process';
  readonly help: string;
  readonly labels: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** In seconds: from the time of a read of one row to the longest time that a caller waits. */
const LATENCY = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** In seconds: from the time of one batch of the relay to an outage of an hour. */
const DELAY = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600];
/** Numbers of writes in one transaction; see `GROUP_WEIGHT`. */
const SIZES = [1, 2, 4, 8, 16, 32, 64];

// prettier-ignore
export const catalogue = {
  practice_http_request_duration_seconds: histogram('gateway', LATENCY, 'Time from the head of an HTTP request to its response. `route` is the pattern of the path; `resource` is a resource, `rpc/` with a function, or empty.', 'route', 'resource', 'method', 'status'),
  practice_http_requests_in_flight: gauge('gateway', 'HTTP requests that are being answered.'),
  practice_http_connections: gauge('gateway', 'Open connections of callers.'),
  practice_requests_refused_total: counter('gateway', 'Requests refused by a limit: `reads`, `writes` and `auth` per minute, or `overload` (no room in the gateway or in the queue of the practice).', 'limit'),
  practice_gateway_queue_wait_seconds: histogram('gateway', LATENCY, 'Time that a request waited in the queue of its practice. Requests that start at once are not counted.', 'queue'),
  practice_gateway_queue_requests: gauge('gateway', 'Requests in the queues of the practices, `running` or `waiting`.', 'queue', 'state'),
  practice_nats_request_duration_seconds: histogram('gateway and services', LATENCY, 'Time of a request to a service over NATS, `answered` or `failed` (unavailable, overloaded, no answer in time).', 'to', 'outcome'),
  practice_nats_requests_in_flight: gauge('gateway and services', 'Requests to services that wait for their reply.'),
  practice_nats_connected: gauge('gateway and services', '1 while every connection to NATS is up, else 0.'),
  practice_nats_messages_total: counter('gateway and services', 'Messages over all connections to NATS, `in` or `out`.', 'direction'),
  practice_nats_bytes_total: counter('gateway and services', 'Bytes over all connections to NATS, `in` or `out`.', 'direction'),
  practice_service_request_duration_seconds: histogram('services', LATENCY, 'Time in which a service carried out a read, a write or a call. `resource` is a resource, or `rpc/` with a function.', 'resource', 'operation', 'status'),
  practice_service_requests_in_flight: gauge('services', 'Requests that the service carries out.'),
  practice_service_problems_total: counter('services', 'Refused and failed requests, by the code of the problem.', 'code'),
  practice_postgres_read_duration_seconds: histogram('services', LATENCY, 'Time of a read in Postgres, from sending it to its rows, on a `shared` connection or the one for `slow` reads.', 'connection'),
  practice_postgres_read_wait_seconds: histogram('services', LATENCY, 'Time that a read waited before it was sent. Reads that are sent at once are not counted.', 'connection'),
  practice_postgres_transaction_duration_seconds: histogram('services', LATENCY, 'Time of a transaction that writes, with the wait for a connection. An `exclusive` one has one practice.', 'group'),
  practice_postgres_connections: gauge('services', 'Connections of the pool to the `primary` or a `replica`, `busy` or `idle`.', 'server', 'state'),
  practice_postgres_connections_most: gauge('services', 'The size limit of the pool.', 'server'),
  practice_postgres_connection_waiters: gauge('services', 'Transactions that wait for a connection of the pool.', 'server'),
  practice_postgres_replica_reads_total: counter('services', 'Reads that a replica may answer, by the server that does: `replica`, or `primary` while the replica is away.', 'server'),
  practice_postgres_replica_lag_seconds: gauge('services', 'Age of the rows of the replica; none while it does not answer.'),
  practice_write_group_size: histogram('services', SIZES, 'Writes that share a transaction.', 'group'),
  practice_write_wait_seconds: histogram('services', LATENCY, 'Time that a write waited for its group to start.', 'group'),
  practice_writes_waiting: gauge('services', 'Writes that wait for a group.'),
  practice_relay_refills_total: counter('services', 'How often the relay published events of its log again, because the stream had `lost` them or a subscriber `asked` for them.', 'reason'),
  practice_outbox_events: gauge('services', 'Events in the outbox that the stream has not acknowledged; 10,000 stands for more.'),
  practice_outbox_oldest_seconds: gauge('services', 'Age of the oldest event in the outbox; 0 if it is empty.'),
  practice_relay_events_total: counter('services', 'Events that the relay sent to the stream, `acknowledged` or `failed` (sent again later).', 'outcome'),
  practice_relay_delay_seconds: histogram('services', DELAY, 'Time from the recording of an event to its acknowledgement by the stream.'),
  practice_subscription_pending_events: gauge('services', 'Events of the stream that a subscription has not handled. Each process of the service exports the same value.', 'subscription'),
  practice_subscription_lag_seconds: gauge('services', 'Time for which the oldest unhandled event of a subscription is known; 0 if all are handled.', 'subscription'),
  practice_subscription_served: gauge('services', '1 while a process serves the subscription, else 0.', 'subscription'),
  practice_subscription_events_total: counter('services', 'Events of a subscription, `handled` or `failed` (tried again later).', 'subscription', 'outcome'),
  practice_subscription_delay_seconds: histogram('services', DELAY, 'Time from the recording of an event in its service to its effect in this one.', 'subscription'),
  practice_rebuild_practices: gauge('services', 'Practices of a rebuild that runs, `folded` or `all`; 0 without a rebuild.', 'state'),
  practice_feed_streams: gauge('live', 'Open streams of events, with requests that wait for one.'),
  practice_realtime_sockets: gauge('live', 'Open WebSockets of realtime.'),
  practice_feed_events_total: counter('live', 'Events that were sent to readers of streams.'),
  practice_calendar_build_duration_seconds: histogram('live', LATENCY, 'Time in which the text of a calendar was made. Reads of a text that is kept are not counted.'),
  practice_webhook_attempts_total: counter('webhooks', 'Attempts to deliver an event to a webhook: `delivered`, `retrying` or `failed` (the last one).', 'result'),
  practice_webhook_delay_seconds: histogram('webhooks', DELAY, 'Time from the recording of an event to its delivery to a webhook at the first attempt.'),
  practice_webhooks_waiting: gauge('webhooks', 'Active webhooks with something to deliver: `due` now, or `retrying` after a failure of the receiver. Each process of the service exports the same value.', 'state'),
  practice_webhook_lag_seconds: gauge('webhooks', 'Time for which the longest waiting due webhook has not been served; 0 if none is due. Webhooks that retry do not count.'),
  practice_event_loop_utilization: gauge('every process', 'Share of the time since the last scrape in which the event loop was busy, from 0 to 1.'),
  practice_process_up: gauge('supervisor', '1 while a process runs, 0 while it is started again.', 'process'),
  practice_process_starts_total: counter('supervisor', 'How often a process was started.', 'process'),
  practice_disk_free_bytes: gauge('supervisor', 'Free space of the disk with `DATA_DIR`.'),
  practice_disk_size_bytes: gauge('supervisor', 'Size of the disk with `DATA_DIR`.'),
  practice_disk_reserve_bytes: gauge('supervisor', 'The space that callers leave free: below it, writes get 507.'),
  practice_stream_messages: gauge('services', 'Messages of a JetStream stream.', 'stream'),
  practice_stream_bytes: gauge('services', 'Bytes of a JetStream stream.', 'stream'),
  practice_stream_most_bytes: gauge('services', 'Size at which the oldest messages leave a JetStream stream; none without STREAM_MAX_MB.', 'stream'),
  practice_dead_letters: gauge('services', 'Dead letters that wait for a decision, by subscription.', 'subscription'),
  practice_log_verified_timestamp_seconds: gauge('supervisor', 'When `npm run log -- verify` last checked the logs of a service, in Unix time; when the data began if it never has.', 'log'),
  practice_log_verification_failed: gauge('supervisor', '1 if that check found a broken log or could not check it, else 0.', 'log'),
  practice_backup_base_timestamp_seconds: gauge('supervisor', 'When the newest base backup was completed, in Unix time; 0 without one. Only with BACKUP_TARGET.'),
  practice_backup_waiting_seconds: gauge('supervisor', 'How long the oldest complete file of the write-ahead log has waited for BACKUP_TARGET; 0 if none waits.'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof catalogue;
type NamesOf<Kind extends MetricKind> = {
  [Name in MetricName]: (typeof catalogue)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
export type HistogramName = NamesOf<'histogram'>;
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
/** The names of a metric's labels. */
export type LabelOf<Name extends MetricName> = (typeof catalogue)[Name]['labels'][number];

type From = MetricDefinition['from'];

function histogram<const Labels extends readonly string[]>(
  from: From,
  buckets: readonly number[],
  ...[help, ...labels]: [help: string, ...Labels]
) {
  return { kind: 'histogram', from, help, labels: labels as unknown as Labels, buckets } as const;
}

function counter<const Labels extends readonly string[]>(from: From, help: string, ...labels: Labels) {
  return { kind: 'counter', from, help, labels } as const;
}

function gauge<const Labels extends readonly string[]>(from: From, help: string, ...labels: Labels) {
  return { kind: 'gauge', from, help, labels } as const;
}
