// The two servers that the services use, and the input for starting them.
import type { DiskSpace } from '@practice/process';
import type { Archiver, DatabaseServer, DatabaseUrls, Secrets, Settings, Stages } from '@practice/operator';
import type { ProcessTable } from '../processes/process-table.js';
import type { Watched } from '../processes/watch.js';

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

export interface Database extends DatabaseUrls {
  readonly databases: readonly DatabaseServer[];
  /** URL of the user who may do everything in the database that services share, or else in the first one. */
  readonly adminDatabaseUrl: string;
  /** The built-in server; undefined if the settings name external ones. */
  readonly server: Watched | undefined;
  /** Archives the log of the built-in server, if there is a target for backups. */
  readonly archiver: Archiver | undefined;
}

export interface Bus {
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** The built-in server; undefined if the settings name an external one. */
  readonly server: Watched | undefined;
}
