import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';
import { passUpgrades, type UpgradeOptions } from './upgrades.js';

const closing: (() => void)[] = [];
afterEach(() => {
  jest.useRealTimers();
  closing.splice(0).forEach((close) => close());
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Setup {
  /** The origin of the live process. */
  readonly origin: string;
  readonly trustedProxies?: readonly string[];
  readonly failed?: (origin: string) => void;
}

/** @returns the port of a gateway */
async function gatewayTo({ origin, trustedProxies = [], failed }: Setup): Promise<number> {
  const gateway = createServer();
  const options = {
    ...{ trustedProxies, connectionsPerAddress: 1, processes: { inOrderOf: () => [origin], failed } },
    ...{ commonHeaders: { ofNoRequest: () => ({}) }, logger: { info: () => undefined } },
  };
  closing.push(passUpgrades(gateway, options as unknown as UpgradeOptions));
  return listening(gateway);
}

/** Opens a WebSocket. @returns the status; undefined if the connection is closed without an answer */
async function statusOf(port: number, forwarded = ''): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  socket.write('GET /realtime/v1/websocket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n');
  socket.write(`Upgrade: websocket\r\nX-Forwarded-For: ${forwarded}\r\n\r\n`);
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data).slice(9, 12)));
    socket.once('close', () => resolve(undefined));
  });
}

/** Opens a WebSocket for each value of `X-Forwarded-For`. @returns for each the address that the live process gets, or the status of the refusal */
async function addressesOf(trustedProxies: readonly string[], forwarded: readonly string[]) {
  let got: unknown;
  const live = createServer().on('upgrade', ({ headers }, socket) => {
    got = headers['x-forwarded-for'];
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  const origin = `http://127.0.0.1:${await listening(live)}`;
  const port = await gatewayTo({ origin, trustedProxies });
  const answers: unknown[] = [];
  for (const value of forwarded) {
    const status = await statusOf(port, value);
    answers.push(status === '101' ? got : status);
  }
  return answers;
}

it('a WebSocket through proxies has the last address that is not a trusted proxy, and counts towards its limit', async () => {
  const callers = [
    '198.51.100.1, 203.0.113.5:1234, 10.1.2.3',
    '203.0.113.5',
    '[2001:db8::1]:99',
    ' , 10.1.2.3',
  ];
  expect(await addressesOf(['127.0.0.0/8', '10.0.0.0/8'], callers)).toEqual([
    ...['203.0.113.5', '503', '2001:db8::1'],
    '10.1.2.3',
  ]);
});

it('a caller that is not a trusted proxy cannot choose its address', async () => {
  expect(await addressesOf([], ['203.0.113.5', '203.0.113.5'])).toEqual(['127.0.0.1', '127.0.0.1']);
});

it('a process has failed if it cannot be reached, but not if it refuses a WebSocket', async () => {
  const failures: string[] = [];
  const failed = (origin: string): void => void failures.push(origin);
  const refusing = createServer().on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  const port = await listening(refusing);
  expect(await statusOf(await gatewayTo({ origin: `http://127.0.0.1:${port}`, failed }))).toBe('401');
  expect(failures).toEqual([]);
  const gone = createServer();
  const origin = `http://127.0.0.1:${await listening(gone)}`;
  await new Promise((resolve) => gone.close(resolve));
  expect(await statusOf(await gatewayTo({ origin, failed }))).toBeUndefined();
  expect(failures).toEqual([origin]);
});

it('a process has failed if it does not answer a WebSocket', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const failures: string[] = [];
  const silent = createServer();
  const asked = once(silent, 'upgrade');
  const origin = `http://127.0.0.1:${await listening(silent)}`;
  const status = statusOf(await gatewayTo({ origin, failed: (failed) => void failures.push(failed) }));
  const [, connection] = (await asked) as [unknown, Socket];
  closing.push(() => connection.destroy());
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await status).toBeUndefined();
  expect(failures).toEqual([origin]);
});
