// The input for starting the two servers that the services use.
import type { DiskSpace } from '@practice/process';
import type { Secrets, Settings, Stages } from '@practice/operator';
import type { ProcessTable } from '../processes/process-table.js';

export interface ServerParts {
  /** `DATA_DIR` and `CACHE_DIR` are absolute, and this process has claimed the data folder. */
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly stages: Stages;
  /** Folder for the logs of the servers. */
  readonly logDir: string;
  readonly processTable: ProcessTable;
  /** The disk with the data folder. */
  readonly disk: Pick<DiskSpace, 'isLow' | 'fullAt'>;
}
