// The two servers that the services use, and the input for starting them.
import type { Settings } from './dev.config.js';
import type { ProcessTable } from './processes/process-table.js';
import type { Watched } from './processes/watch.js';
import type { Secrets } from './secrets.js';
import type { Stages } from './stages.js';

export interface ServerParts {
  /** `DATA_DIR` and `CACHE_DIR` are absolute, and this process has claimed the data folder. */
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly stages: Stages;
  /** Folder for what the servers log. */
  readonly logDir: string;
  readonly processTable: ProcessTable;
}

export interface Database {
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** URL of the user who may do everything in the database. */
  readonly adminDatabaseUrl: string;
  /** The server, unless it was there already. */
  readonly server: Watched | undefined;
}

export interface Bus {
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** The server, unless it was there already. */
  readonly server: Watched | undefined;
}
