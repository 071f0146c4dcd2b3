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

export interface AuthenticationSettings {
  /** The public key of the project. It identifies the project, not the user. */
  readonly anonKey: string;
  /** A secret shared with another issuer of tokens (HS256). Without one, such a token is rejected. */
  readonly jwtSecret?: string;
  /** Where another issuer publishes its public keys. */
  readonly jwksUrl?: string;
  /** The `iss` of that issuer's tokens; given with a secret or a URL. */
  readonly foreignIssuer?: string;
  /** The `aud` of the access tokens of OAuth clients: the URL of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Sign-ins of an address a minute, from which the limit of unknown tokens follows; 0 removes it. */
  readonly signInsPerMinute: number;
}
