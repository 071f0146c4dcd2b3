import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { passUpgrades, type UpgradeOptions } from './upgrades.js';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Opens a WebSocket for each value of `X-Forwarded-For`. @returns for each the address that the live process gets, or the status of the refusal */
async function addressesOf(trustedProxies: readonly string[], forwarded: readonly string[]) {
  let got: unknown;
  const live = createServer().on('upgrade', ({ headers }, socket) => {
    got = headers['x-forwarded-for'];
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  const origin = `http://127.0.0.1:${await listening(live)}`;
  const gateway = createServer();
  const options = {
    ...{ trustedProxies, connectionsPerAddress: 1, processes: { inTurn: () => [origin] } },
    ...{ commonHeaders: { ofNoRequest: () => ({}) }, logger: { info: () => undefined } },
  };
  closing.push(passUpgrades(gateway, options as unknown as UpgradeOptions));
  const port = await listening(gateway);
  const answers: unknown[] = [];
  for (const value of forwarded) {
    const socket = connect(port, '127.0.0.1');
    closing.push(() => socket.destroy());
    socket.write('GET /realtime/v1/websocket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n');
    socket.write(`Upgrade: websocket\r\nX-Forwarded-For: ${value}\r\n\r\n`);
    const answer = await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    answers.push(String(answer).startsWith('HTTP/1.1 101') ? got : String(answer).slice(9, 12));
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
