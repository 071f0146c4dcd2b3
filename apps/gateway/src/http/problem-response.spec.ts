import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from '@jest/globals';
import type { CommonHeaders } from './common-headers.js';
import { answerClientError } from './problem-response.js';

it('a connection without a whole request is closed, even if its caller leaves it open', async () => {
  const common = { ofNoRequest: () => ({}) } as unknown as CommonHeaders;
  const server = createServer({ headersTimeout: 200, connectionsCheckingInterval: 100 });
  server.on('clientError', answerClientError(common) as never);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = once(server, 'connection').then(([connection]) => once(connection as never, 'close'));
  socket.write('GET / HTTP/1.1\r\n');
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  await once(socket, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"PM408"/s);
  await closed;
  socket.destroy();
  server.close();
});
