import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a server that can be cut, as when its machine is gone: no farewell comes over it. */
export interface Wire {
  /** The server's URL, by this way. */
  readonly url: string;
  /** Breaks the connections there are; new ones can be made. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/** Lays a way of its own to the server of a URL. */
export async function wireTo(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const ends = new Set<Socket>();
  const keep = (end: Socket): void => {
    ends.add(end);
    end.on('error', () => undefined);
    end.on('close', () => ends.delete(end));
  };
  const cut = (): void => ends.forEach((end) => end.resetAndDestroy());
  const server = createServer((caller) => {
    const callee = connect(Number(port), hostname);
    [caller, callee].forEach(keep);
    caller.pipe(callee).pipe(caller);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: Object.assign(new URL(url), { host: here }).href,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
