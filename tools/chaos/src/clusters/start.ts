// Clusters in place of the built-in servers: three nats-servers, and Postgres under Patroni behind HAProxy.
import { mkdirSync } from 'node:fs';
import {
  type NatsCluster,
  openMeans,
  type PatroniCluster,
  startNatsCluster,
  startPatroni,
} from '@practice/drills';

export interface Clusters {
  readonly nats: NatsCluster;
  readonly patroni: PatroniCluster;
  readonly stop: () => Promise<void>;
}

/**
 * Starts both clusters.
 * @param folder for their files; the user that Postgres runs as must reach it
 * @throws {Failure} when a program is missing or does not start; nothing is left running then
 */
export async function startClusters(folder: string, note: (line: string) => void): Promise<Clusters> {
  mkdirSync(folder, { mode: 0o755 });
  const { end, ...means } = openMeans(folder, note);
  try {
    // One after the other: nothing is left half started when one fails.
    const patroni = await startPatroni(means);
    const nats = await startNatsCluster(means);
    return { nats, patroni, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}
