import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { DocumentFetch } from './document-fetch.js';

it('the fetch of a document fails if the response switches to another protocol', async () => {
  const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
  const server = createServer((socket) => void socket.unref().write(head))
    .listen(0, '127.0.0.1')
    .unref();
  await new Promise((resolve) => server.once('listening', resolve));
  const documents = new DocumentFetch({ outbound: { allowsLoopback: true, forbidden: [] } });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client`;
  await expect(documents.fetch(url)).rejects.toThrow('the document did not arrive');
  server.close();
});

it('the fetch of a document does not follow a redirect', async () => {
  const asked: unknown[] = [];
  const server = createHttpServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const documents = new DocumentFetch({ outbound: { allowsLoopback: true, forbidden: [] } });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client`;
  const { status } = await documents.fetch(url).finally(() => server.close());
  expect([status, asked]).toEqual([302, ['/client']]);
});
