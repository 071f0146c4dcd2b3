// Clusters in place of built-in servers: three nats-servers, and Postgres under Patroni behind HAProxy.
import { mkdirSync } from 'node:fs';
import { openMeans } from '../kit/means.js';
import { startNatsCluster } from './nats-cluster.js';
import { startPatroni } from './patroni/cluster.js';

/** The servers that can be clusters. */
export const clusterKinds = ['nats', 'postgres'] as const;

export type ClusterKind = (typeof clusterKinds)[number];

/**
 * Starts clusters.
 * @param folder for their files; the user that Postgres runs as must reach it
 * @throws {Failure} when a program is missing or does not start; nothing is left running then
 */
export async function startClusters(
  folder: string,
  wanted: readonly ClusterKind[],
  note: (line: string) => void,
) {
  mkdirSync(folder, { mode: 0o755 });
  const { end, ...means } = openMeans(folder, note);
  try {
    // One after the other: nothing is left half started when one fails.
    const patroni = wanted.includes('postgres') ? await startPatroni(means) : undefined;
    const nats = wanted.includes('nats') ? await startNatsCluster(means) : undefined;
    return { nats, patroni, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

export type Clusters = Awaited<ReturnType<typeof startClusters>>;
