import type { Settings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';

/** @throws {Failure} when the one server of ours should store each event several times */
export function requireCluster({
  NATS_URL,
  STREAM_REPLICAS,
}: Pick<Settings, 'NATS_URL' | 'STREAM_REPLICAS'>): void {
  if (NATS_URL === '' && STREAM_REPLICAS > 1)
    throw new Failure('STREAM_REPLICAS needs a cluster of NATS servers: name them in NATS_URL.');
}
