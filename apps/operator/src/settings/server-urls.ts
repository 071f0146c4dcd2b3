// Where the services find their servers, with the credentials of each.
import type { Service } from './services.js';

export interface DatabaseUrls {
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** Where the processes of a service read and write as its request role: PgBouncer, if there is one. */
  readonly requestUrl: (service: Service) => string;
}

export interface ServerUrls extends DatabaseUrls {
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
}
