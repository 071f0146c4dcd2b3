import type { Connection } from './connection.js';
import type { InFlight } from './in-flight.js';
import { goneSubject, nameOfRequest } from './subjects.js';

interface Asking {
  readonly connection: Connection;
  readonly user: string;
  readonly inFlight: Pick<InFlight, 'partsOf'>;
  /** The line of the requester to each service. */
  readonly lines: ReadonlyMap<string, { readonly prefix: string }>;
}

/** Informs the services that work on parts of a larger request that its caller has disconnected. */
export function giveUp({ inFlight, lines, connection, user }: Asking, partOf: object): void {
  if (!connection.isUp()) return;
  for (const { id, service } of inFlight.partsOf(partOf)) {
    const line = lines.get(service);
    if (line !== undefined)
      connection.nats.publish(goneSubject({ service, caller: user }), nameOfRequest(line.prefix, id));
  }
}
