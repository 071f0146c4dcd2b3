// The services of the product: who has a schema, a user at NATS, and processes.

export interface Service {
  /** Name of the folder in apps/, of the NATS user, and of the RPC subject. */
  readonly name: string;
  /** Whether it answers requests from other services over NATS; the gateway only asks. */
  readonly answers: boolean;
}

export const services: readonly Service[] = [
  { name: 'gateway', answers: false },
  { name: 'scheduling', answers: true },
  { name: 'clients', answers: true },
  { name: 'clinical-notes', answers: true },
  { name: 'finance', answers: true },
];

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
