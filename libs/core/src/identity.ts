/** Who is asking: taken from a verified token by the gateway and from nowhere else. */
export interface Identity {
  /** The practice (a uuid): every record, every lock and every statement belongs to one. */
  readonly therapistId: string;
  /** The signed-in session, absent for a machine's own work (a policy, a replay). */
  readonly sessionId?: string;
}

/** The Postgres schema of a service, which is also the name of the role that serves its requests. */
export const schemaOf = (service: string): string => service.replaceAll('-', '_');
