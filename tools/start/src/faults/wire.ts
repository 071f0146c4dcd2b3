// A TCP proxy that specs and drills put between a program and a server, to interrupt the connection.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface Pair {
  readonly caller: Socket;
  readonly callee: Socket;
}

/** Opens a wire to the server of a URL. */
export async function wireTo(url: string) {
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
    /** The server's URL, through this wire. */
    url: Object.assign(new URL(url), { host: here }).href,
    /** How many connections are open. */
    connections: () => pairs.size,
    /** Breaks all connections, and refuses new ones until `restore`. */
    cut: () => {
      state = 'cut';
      breakAll();
    },
    /** Keeps all connections open and carries nothing in either direction until `restore`, as when packets are lost. */
    silence: () => {
      state = 'silent';
      pairs.forEach(hold);
    },
    /** Carries waiting bytes, and lets new connections through again. */
    restore: () => {
      if (state === 'silent') pairs.forEach(carry);
      state = 'open';
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        breakAll();
      }),
  };
}

/** A connection to a server that can be cut, as when the server's machine fails: its ends are not closed in an orderly way. */
export type Wire = Awaited<ReturnType<typeof wireTo>>;

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
