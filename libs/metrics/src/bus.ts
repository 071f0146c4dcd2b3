// Metrics of a process's connections to NATS, and of its requests to services.

import { beforeScrape, counter, gauge, histogram } from './instruments.js';

/** The part of a connection that is measured. */
interface MeasuredConnection {
  isUp(): boolean;
  readonly nats: {
    stats(): {
      readonly inMsgs: number;
      readonly outMsgs: number;
      readonly inBytes: number;
      readonly outBytes: number;
    };
  };
}

/** Created when it is first needed, because the supervisor sends no requests. */
const duration = () => histogram('practice_nats_request_duration_seconds');

/** Measures a request to a service that has ended. */
export function observeRequest(to: string, outcome: 'answered' | 'failed', ms: number): void {
  duration().observe({ to, outcome }, ms / 1000);
}

/**
 * Measures all connections of this process at each scrape.
 * @param requesters the requesters that use them
 */
export function measureBus(
  connections: readonly MeasuredConnection[],
  requesters: readonly { inFlight(): number }[],
): void {
  duration();
  const inFlight = gauge('practice_nats_requests_in_flight');
  const connected = gauge('practice_nats_connected');
  const messages = counter('practice_nats_messages_total');
  const bytes = counter('practice_nats_bytes_total');
  beforeScrape([inFlight, connected, messages, bytes], () => {
    inFlight.set(requesters.reduce((sum, requester) => sum + requester.inFlight(), 0));
    connected.set(connections.every((connection) => connection.isUp()) ? 1 : 0);
    for (const { nats } of connections) {
      const { inMsgs, outMsgs, inBytes, outBytes } = nats.stats();
      messages.inc({ direction: 'in' }, inMsgs);
      messages.inc({ direction: 'out' }, outMsgs);
      bytes.inc({ direction: 'in' }, inBytes);
      bytes.inc({ direction: 'out' }, outBytes);
    }
  });
}
