import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Rejection } from '@practice/core';
import type { Logger } from '@practice/process';
import type { HttpRequest } from '../http/request.js';
import { LiveProcesses, LiveProxy } from './live-proxy.js';

describe('live processes', () => {
  it('have the same order for one key, divide the keys among themselves, and come last for a second after they failed', () => {
    const processes = new LiveProcesses(['a', 'b', 'c']);
    const keys = Array.from({ length: 60 }, (_, index) => `practice ${index}`);
    const order = keys.map((key) => processes.inOrderOf(key));
    expect(keys.map((key) => processes.inOrderOf(key))).toEqual(order);
    expect(new Set(order.map(([first]) => first)).size).toBe(3);
    const [[first, second] = []] = order;
    processes.failed(String(first), 1_000);
    expect(processes.inOrderOf('practice 0', 1_500)[0]).toBe(second);
    expect(processes.inOrderOf('practice 0', 2_000)[0]).toBe(first);
  });

  it('may be an empty list', () => expect(new LiveProcesses([]).inOrderOf('practice')).toEqual([]));
});

describe('a request to live processes', () => {
  const servers: Server[] = [];
  const proxies: LiveProxy[] = [];
  afterEach(() => {
    for (const proxy of proxies.splice(0)) proxy.close();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function originOf(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const proxyTo = (...origins: readonly string[]): LiveProxy => {
    const logger = { warn: () => undefined } as unknown as Logger;
    proxies.push(new LiveProxy(new LiveProcesses(origins), logger));
    return proxies.at(-1) as LiveProxy;
  };

  const requestOf = (raw: IncomingMessage, response: ServerResponse): HttpRequest => {
    const request = { raw, method: raw.method, headers: raw.headers, id: 'request', ip: '127.0.0.1' };
    return { ...request, stage: { request, reply: { raw: response } } } as unknown as HttpRequest;
  };

  /** Sends a request whose handler passes it on. @returns the outcome */
  const forwarded = (proxy: LiveProxy, method: string): Promise<unknown> =>
    new Promise((resolve, fail) => {
      const handler: RequestListener = (raw, response) => {
        const outcome = proxy.forward(requestOf(raw, response)).catch((error: Rejection) => error.problem);
        resolve(outcome);
        void outcome.finally(() => response.end());
      };
      originOf(handler).then((origin) => void fetch(origin, { method }), fail);
    });

  it('is not sent for a caller who has disconnected before', async () => {
    const seen: (string | undefined)[] = [];
    const process = await originOf(({ url }, response) => {
      seen.push(url);
      response.end();
    });
    const proxy = proxyTo(process);
    const outcome = new Promise((resolve, fail) => {
      const handler: RequestListener = (raw, response) => {
        response.once('close', () => resolve(proxy.forward(requestOf(raw, response))));
        caller.destroy();
      };
      const caller = { destroy: (): void => undefined };
      originOf(handler).then((origin) => {
        const outgoing = send(`${origin}/events/v1?wait=60`).on('error', () => undefined);
        caller.destroy = () => void outgoing.destroy();
        outgoing.end();
      }, fail);
    });
    expect(await outcome).toBeUndefined();
    expect(seen).toEqual([]);
  });

  it('has an unknown outcome if a process may have carried out its write', async () => {
    const seen: string[] = [];
    const killed: RequestListener = ({ socket, url = '' }) => {
      seen.push(url);
      socket.destroy();
    };
    const proxy = proxyTo(await originOf(killed), await originOf(killed));
    expect(await forwarded(proxy, 'POST')).toMatchObject({ status: 504, code: 'PM504' });
    expect(await forwarded(proxy, 'POST')).not.toHaveProperty('headers');
    expect(seen).toHaveLength(2);
  });

  it('may be repeated if no process has received it, or if it reads', async () => {
    const unavailable = { status: 503, code: 'PM503', headers: { 'Retry-After': '1' } };
    const gone = await originOf(() => undefined);
    const [server] = servers.splice(0);
    await once(server?.close() as Server, 'close');
    expect(await forwarded(proxyTo(gone), 'POST')).toMatchObject(unavailable);
    const killed = await originOf(({ socket }) => socket.destroy());
    expect(await forwarded(proxyTo(killed), 'GET')).toMatchObject(unavailable);
    const answers = await originOf((_, response) => response.writeHead(202).end());
    expect(await forwarded(proxyTo(gone, answers), 'POST')).toMatchObject({ status: 202 });
  });
});
