// The URLs at which the services find their servers, with credentials.
import type { Service } from './services.js';

export interface DatabaseUrls {
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** URL with the credentials of the request role of a service, for reads and writes. It leads to PgBouncer, if there is one. */
  readonly requestUrl: (service: Service) => string;
}

export interface ServerUrls extends DatabaseUrls {
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
}
