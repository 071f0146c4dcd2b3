// The metrics of backups.
import { beforeScrape, gauge } from '@practice/metrics';
import type { Archiver } from './archiver.js';
import { basesOf } from './base-backup.js';

const baseAt = gauge('practice_backup_base_timestamp_seconds');
const waitingFor = gauge('practice_backup_waiting_seconds');

/** Registers the metrics of backups. They are independent: the target may be gone. @returns a function that removes the metrics */
export function measureBackups({ waiting, target, system }: Archiver): () => void {
  const forget = [
    beforeScrape([waitingFor], () => waitingFor.set({}, waiting())),
    beforeScrape([baseAt], async () => {
      const newest = (await basesOf(target, system)).at(-1);
      baseAt.set({}, newest === undefined ? 0 : Date.parse(newest.completedAt) / 1000);
    }),
  ];
  return () => forget.forEach((one) => one());
}
