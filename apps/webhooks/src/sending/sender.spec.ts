import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Sender } from './sender.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Listening {
  readonly port: number;
  /** The number of connections so far. */
  readonly connections: () => number;
}

function listening(server: ReturnType<typeof createTcp> | Server): Promise<Listening> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as AddressInfo).port, connections: () => connections }),
    ),
  );
}

const http = (listener: RequestListener): Promise<Listening> => listening(createServer(listener));

const message = (url: string) => ({ url, body: '{"a":1}', headers: { 'content-type': 'application/json' } });
const at = (port: number): string => `http://127.0.0.1:${port}/`;

const development = { allowsLoopback: true, forbidden: [] };
const production = { allowsLoopback: false, forbidden: [] };

describe('a message', () => {
  it('is posted completely, and any 2xx accepts it', async () => {
    const bodies: string[] = [];
    const { port } = await http((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(`${request.method} ${chunk.toString()}`));
      request.on('end', () => response.writeHead(202).end('taken'));
    });
    expect(await new Sender(development).send(message(at(port)))).toMatchObject({ status: 202, error: null });
    expect(bodies).toEqual(['POST {"a":1}']);
  });

  it('fails for other statuses, and a redirect is not followed', async () => {
    const target = await http((_, response) => response.end());
    const { port } = await http((request, response) =>
      response.writeHead(request.url === '/r' ? 307 : 503, { location: at(target.port) }).end('secret words'),
    );
    const sender = new Sender(development);
    expect(await sender.send(message(at(port)))).toMatchObject({
      status: 503,
      error: 'the response was 503',
    });
    expect(await sender.send(message(`${at(port)}r`))).toMatchObject({
      status: 307,
      error: 'the response was a redirect (307), which is not followed',
    });
    expect(target.connections()).toBe(0);
  });

  it('fails in time if there is no answer, at any point', async () => {
    const silent = await listening(createTcp(() => undefined));
    const slow = await http((_, response) => void response.write('x'));
    const sender = new Sender(development, { timeoutMs: 150 });
    const late = { status: null, error: 'there was no response in time' };
    expect(await sender.send(message(at(silent.port)))).toMatchObject(late);
    // The status has arrived, so the message was delivered.
    const patient = new Sender(development, { timeoutMs: 2_000 });
    expect(await patient.send(message(at(slow.port)))).toMatchObject({ status: 200, error: null });
    const unresolved = new Sender(development, {
      timeoutMs: 150,
      resolve: () => new Promise(() => undefined),
    });
    expect(await unresolved.send(message('https://hanging.example/'))).toMatchObject(late);
  });

  it('ends early at the signal, which keeps no listener afterwards', async () => {
    const silent = await listening(createTcp(() => undefined));
    const { port } = await http((_, response) => response.end());
    const stop = new AbortController();
    const sender = new Sender(development);
    for (let sent = 0; sent < 3; sent++) await sender.send(message(at(port)), stop.signal);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    // On Node 20, a signal keeps an entry for each `AbortSignal.any` that names it.
    const kept = Object.getOwnPropertySymbols(stop.signal).find(
      ({ description }) => description === 'kDependantSignals',
    );
    expect(
      kept === undefined ? 0 : ((Reflect.get(stop.signal, kept) as Set<unknown> | null)?.size ?? 0),
    ).toBe(0);
    const running = sender.send(message(at(silent.port)), stop.signal);
    stop.abort();
    expect(await running).toMatchObject({ status: null, error: expect.any(String) });
    expect(await sender.send(message(at(port)), stop.signal)).toMatchObject({ status: null });
  });

  it('reads no more of a response than 8 KiB', async () => {
    let sent = 0;
    let isClosed = false;
    const { port } = await http((_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!isClosed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more).on('close', () => (isClosed = true));
      more();
    });
    expect(await new Sender(development).send(message(at(port)))).toMatchObject({ status: 200, error: null });
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('fails if the connection closes, is refused, or does not use HTTP', async () => {
    const closer = await listening(createTcp((socket) => socket.destroy()));
    const babbler = await listening(createTcp((socket) => void socket.end('hello\r\n\r\n')));
    const { port: free } = await listening(createTcp());
    for (const close of closing.splice(-1)) close();
    const sender = new Sender(development);
    expect((await sender.send(message(at(closer.port)))).error).toBe('the connection was closed');
    expect((await sender.send(message(at(babbler.port)))).error).toBe('the response is not HTTP');
    expect((await sender.send(message(at(free)))).error).toBe('the connection was refused');
  });

  it('fails if the response switches to another protocol', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const { port } = await listening(createTcp((socket) => void socket.write(head)));
    const failed = { status: null, error: 'the attempt failed' };
    expect(await new Sender(development).send(message(at(port)))).toMatchObject(failed);
  });

  it('fails if the certificate is not trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'practice-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '1',
        ],
        ...['-subj', '/CN=localhost', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    let requests = 0;
    const server = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
      requests += 1;
      response.end();
    });
    rmSync(folder, { recursive: true });
    const { port } = await listening(server as unknown as Server);
    const { status, error } = await new Sender(development).send(message(`https://localhost:${port}/`));
    expect([status, error]).toEqual([null, expect.stringMatching(/^the connection is not secure \(\w+\)$/)]);
    expect(requests).toBe(0);
  });
});

describe('a name', () => {
  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])(
    'that resolves to %s is refused at the connection',
    async (address) => {
      const sender = new Sender(production, { resolve: () => Promise.resolve([address]) });
      expect(await sender.send(message('https://rebound.example/'))).toMatchObject({
        status: null,
        error: 'the address is not public',
      });
    },
  );

  it('is refused if one of several addresses is not public', async () => {
    const sender = new Sender(production, { resolve: () => Promise.resolve(['8.8.8.8', '127.0.0.1']) });
    expect((await sender.send(message('https://mixed.example/'))).error).toBe('the address is not public');
  });

  it('is resolved once for a connection, so a different answer a moment later has no effect', async () => {
    const { port, connections } = await listening(createTcp((socket) => socket.destroy()));
    let asked = 0;
    const resolve = (): Promise<string[]> => {
      asked += 1;
      return Promise.resolve(asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    };
    const sender = new Sender(development, { resolve });
    await sender.send(message(`https://changing.example:${port}/`));
    expect([asked, connections()]).toEqual([1, 1]);
    expect((await sender.send(message(`https://changing.example:${port}/`))).error).toBe(
      'the address is not public',
    );
    expect(connections()).toBe(1);
  });

  it('without an address fails', async () => {
    const sender = new Sender(production, { resolve: () => Promise.resolve([]) });
    expect((await sender.send(message('https://unknown.example/'))).error).toBe(
      'the host name has no address',
    );
  });

  it('is checked again at each attempt: an address in a URL that was accepted before is refused', async () => {
    const { port, connections } = await listening(createTcp());
    const sent = await new Sender(production).send(message(`https://127.0.0.1:${port}/`));
    expect(sent.error).toBe('the URL is refused: its address is not public');
    expect(connections()).toBe(0);
    await new Promise<void>((resolve) => connect(port, '127.0.0.1', resolve).unref());
  });
});
