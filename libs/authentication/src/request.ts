import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that identify its caller. A request of Fastify has them. */
export interface BearerRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The caller's network address. */
  readonly ip: string;
  /** The id of the request. */
  readonly id: string;
}
