import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that identify its caller. A Fastify request has this interface. */
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
  /** A secret shared with another issuer of tokens (HS256). Without it, HS256 tokens are rejected. */
  readonly jwtSecret?: string;
  /** The URL where another issuer publishes its public keys. */
  readonly jwksUrl?: string;
  /** The `iss` of that issuer's tokens. It is set if `jwtSecret` or `jwksUrl` is. */
  readonly foreignIssuer?: string;
  /** The `aud` of the access tokens of OAuth clients: the URL of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** The maximum number of sign-ins of an address in a minute. The limit of unknown tokens is a multiple; 0 switches it off. */
  readonly signInsPerMinute: number;
}
