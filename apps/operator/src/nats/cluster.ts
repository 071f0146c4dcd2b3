import type { Settings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';

/** @throws {Failure} when each event should be stored several times, but our own single server is used */
export function requireCluster({
  NATS_URL,
  STREAM_REPLICAS,
}: Pick<Settings, 'NATS_URL' | 'STREAM_REPLICAS'>): void {
  if (NATS_URL === '' && STREAM_REPLICAS > 1)
    throw new Failure('STREAM_REPLICAS needs a cluster of NATS servers: name them in NATS_URL.');
}
