// A way into a live process: the feed, realtime. Each has its paths, and keeps the connections that it has opened.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Authentication } from '@practice/authentication';
import type { Connection, Requester } from '@practice/bus';
import type { Logger } from '@practice/process';

/** Everything that the process opens before its endpoints. */
export interface LiveRuntime {
  readonly logger: Logger;
  readonly connection: Connection;
  /** Asks services as the user `live`. It states no identities. */
  readonly requester: Requester;
  readonly authentication: Authentication;
}

/** A request as a gateway has passed it on. */
export interface LiveRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  /** Path and query. */
  readonly url: URL;
  /** The caller's network address, as the gateway knows it. */
  readonly ip: string;
  /** The id of the request, which the gateway has given it. */
  readonly id: string;
}

export interface Endpoint {
  /** The beginning of its paths: `/events/v1`. */
  readonly prefix: string;
  /**
   * Responds to a request.
   * @throws {Rejection} for a request that is refused, as long as nothing was sent
   */
  handle(request: LiveRequest, response: ServerResponse): Promise<void>;
  /** Takes over the connection of a request with `Upgrade: websocket`. Without it, such a request is refused. */
  upgrade?(request: LiveRequest, socket: Duplex, head: Buffer): void;
  /** Ends the open connections; callers come back to another process. Without it, no connection stays open. */
  close?(): void;
}
