// An endpoint of a live process, such as the feed or realtime. Each endpoint has its paths, and keeps the connections that it opens.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Authentication } from '@practice/authentication';
import type { Connection, Requester } from '@practice/bus';
import type { Logger } from '@practice/process';

/** The parts of the process that are opened before its endpoints. */
export interface LiveRuntime {
  readonly logger: Logger;
  readonly connection: Connection;
  /** Sends requests to services as the user `live`, without statements of identity. */
  readonly requester: Requester;
  readonly authentication: Authentication;
}

/** A request that a gateway has passed on. */
export interface LiveRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  /** Path and query. */
  readonly url: URL;
  /** The caller's network address, as the gateway knows it. */
  readonly ip: string;
  /** The id of the request, from the gateway. */
  readonly id: string;
}

export interface Endpoint {
  /** The beginning of its paths: `/events/v1`. */
  readonly prefix: string;
  /**
   * Responds to a request.
   * @throws {Rejection} for a refused request, only before the first byte of the response is sent
   */
  handle(request: LiveRequest, response: ServerResponse): Promise<void>;
  /** Takes over the connection of a request with `Upgrade: websocket`. If absent, these requests are refused. */
  upgrade?(request: LiveRequest, socket: Duplex, head: Buffer): void;
  /** Ends the open connections; callers reconnect to another process. Absent if no connection stays open. */
  close?(): void;
}
