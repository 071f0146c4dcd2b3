// Messages to and from the process that holds open connections.

/** Sockets or streams to open. */
export interface Opening {
  readonly kind: 'sockets' | 'streams';
  readonly origin: string;
  readonly apikey: string;
  /** One for each connection. */
  readonly tokens: readonly string[];
}

export type CrowdOrder = Opening | { readonly kind: 'count' };

/** Events that all connections have received so far. */
export interface Received {
  readonly open: number;
  readonly events: number;
  /** When the last event arrived, in milliseconds since the epoch. */
  readonly lastAt: number;
}

export type CrowdMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'received'; readonly received: Received }
  | { readonly kind: 'failed'; readonly message: string };
