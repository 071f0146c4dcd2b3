// The metrics of the supervisor: everything that no process of the product can measure by itself.
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeScrape, counter, gauge, serveMetrics } from '@practice/metrics';
import { type Archiver, measureBackups, storedServices } from '@practice/operator';
import type { Target } from './targets.js';
import { readVerifications } from './verifications.js';

const up = gauge('practice_process_up');
const starts = counter('practice_process_starts_total');
const free = gauge('practice_disk_free_bytes');
const size = gauge('practice_disk_size_bytes');
const reserve = gauge('practice_disk_reserve_bytes');
const verifiedAt = gauge('practice_log_verified_timestamp_seconds');
const failed = gauge('practice_log_verification_failed');

type Processes = readonly { readonly name: string; readonly pid: number }[];

/** Counts the processes that run. @returns a function to call with the running processes whenever they change */
export function countProcesses(): (running: Processes) => void {
  const known = new Map<string, number>();
  return (running) => {
    for (const process of known.keys())
      if (running.every(({ name }) => name !== process)) up.set({ process }, 0);
    for (const { name: process, pid } of running) {
      up.set({ process }, 1);
      if (known.get(process) !== pid) starts.inc({ process });
      known.set(process, pid);
    }
  };
}

/** Serves the metrics of the supervisor on a free port of the loopback address. */
export async function serveSupervisorMetrics(place: {
  readonly dataDir: string;
  /** Bytes of the disk that the writes of callers leave free. */
  readonly reserveBytes: number;
  /** The archiver of backups, if there is one. */
  readonly archiver: Archiver | undefined;
}) {
  reserve.set(place.reserveBytes);
  const forget = [
    measureDisk(place.dataDir),
    measureVerifications(place.dataDir),
    ...(place.archiver === undefined ? [] : [measureBackups(place.archiver)]),
  ];
  const server = await serveMetrics({ host: '127.0.0.1', port: 0 });
  const target: Target = { process: 'supervisor', service: 'supervisor', address: new URL(server.url).host };
  return {
    target,
    stop: async (): Promise<void> => {
      for (const one of forget) one();
      await server.close();
    },
  };
}

export type SupervisorMetrics = Awaited<ReturnType<typeof serveSupervisorMetrics>>;

const measureDisk = (folder: string): (() => void) =>
  beforeScrape([free, size], async () => {
    const { bavail, blocks, bsize } = await statfs(folder);
    free.set(bavail * bsize);
    size.set(blocks * bsize);
  });

/** A log that was never checked counts from the beginning of the data: otherwise no alert would notice it. */
const measureVerifications = (dataDir: string): (() => void) =>
  beforeScrape([verifiedAt, failed], async () => {
    const { mtimeMs: began } = await stat(join(dataDir, 'format'));
    const verifications = readVerifications(dataDir);
    for (const { name: log } of storedServices) {
      const verification = verifications[log];
      verifiedAt.set({ log }, (verification === undefined ? began : Date.parse(verification.at)) / 1000);
      if (verification !== undefined) failed.set({ log }, verification.isIntact ? 0 : 1);
    }
  });
