// The services of the product, each with a schema, a NATS user and processes of its own.

import { serviceNames } from '@practice/contracts';

/** The app that callers reach. */
export const GATEWAY = 'gateway';
/** The app that keeps the open connections of callers, behind the gateway. */
export const LIVE = 'live';

export interface Service {
  /** Name of the folder in apps/, of the NATS user, and of the RPC subject. */
  readonly name: string;
  /** Whether it answers requests over NATS and has a schema. The other apps answer callers over HTTP, and have no database. */
  readonly answers: boolean;
}

/** The gateway, the processes of open connections, and every service in the contracts. */
export const services: readonly Service[] = [
  { name: GATEWAY, answers: false },
  { name: LIVE, answers: false },
  ...serviceNames.map((name) => ({ name, answers: true })),
];

/** The services with a schema and Postgres roles of their own. */
export const storedServices = services.filter(({ answers }) => answers);

/** The schema of a service, also the name of the Postgres role that serves its requests. */
export function schemaOf(service: Service): string {
  return service.name.replaceAll('-', '_');
}

/** The Postgres roles of a service. */
export function rolesOf(service: Service): {
  readonly owner: string;
  readonly requests: string;
  readonly relay: string;
} {
  const schema = schemaOf(service);
  return { owner: `${schema}_owner`, requests: schema, relay: `${schema}_relay` };
}
