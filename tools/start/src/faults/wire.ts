// A TCP proxy that specs and drills put between a program and a server, to interrupt the connection.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a server that can be cut, as when the server's machine fails: its ends are not closed in an orderly way. */
export interface Wire {
  /** The server's URL, through this wire. */
  readonly url: string;
  /** How many connections are open. */
  readonly connections: () => number;
  /** Breaks all connections, and refuses new ones until `restore`. */
  readonly cut: () => void;
  /** Keeps all connections open and carries nothing in either direction until `restore`, as when packets are lost. */
  readonly silence: () => void;
  /** Carries waiting bytes, and lets new connections through again. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

interface Pair {
  readonly caller: Socket;
  readonly callee: Socket;
}

/** Opens a wire to the server of a URL. */
export async function wireTo(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const pairs = new Set<Pair>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const breakAll = (): void => pairs.forEach(breakBoth);
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    if (state === 'cut') {
      caller.on('error', () => undefined);
      return void caller.resetAndDestroy();
    }
    const pair = { caller, callee: connect({ port: Number(port), host: hostname, allowHalfOpen: true }) };
    pairs.add(pair);
    endTogether(pair, () => pairs.delete(pair));
    if (state === 'open') carry(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: Object.assign(new URL(url), { host: here }).href,
    connections: () => pairs.size,
    cut: () => {
      state = 'cut';
      breakAll();
    },
    silence: () => {
      state = 'silent';
      pairs.forEach(hold);
    },
    restore: () => {
      if (state === 'silent') pairs.forEach(carry);
      state = 'open';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        breakAll();
      }),
  };
}

function carry({ caller, callee }: Pair): void {
  if (caller.destroyed || callee.destroyed) return breakBoth({ caller, callee });
  caller.pipe(callee).pipe(caller);
}

function hold({ caller, callee }: Pair): void {
  caller.unpipe(callee).pause();
  callee.unpipe(caller).pause();
}

function breakBoth({ caller, callee }: Pair): void {
  for (const end of [caller, callee]) if (!end.destroyed) end.resetAndDestroy();
}

/** Ends both sides together. An orderly end passes through the pipe, after its data. A broken side breaks the other side. */
function endTogether(pair: Pair, gone: () => void): void {
  for (const end of [pair.caller, pair.callee]) {
    end.on('error', () => undefined);
    end.on('close', (hadError) => {
      if (hadError) breakBoth(pair);
      if (pair.caller.destroyed && pair.callee.destroyed) gone();
    });
  }
}
