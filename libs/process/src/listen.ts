import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where an HTTP server listens. */
export interface ListenOptions {
  readonly host: string;
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
}

/** Makes a server listen. @throws {Error} when it cannot listen on this address */
export async function listen(server: Server, { host, port }: ListenOptions) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    /** Stops listening, and ends open connections. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An HTTP server that listens. */
export type Listening = Awaited<ReturnType<typeof listen>>;
