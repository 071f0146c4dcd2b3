import { afterEach, describe, expect, it } from '@jest/globals';
import { serveHealth, type Readiness } from './health.js';
import type { Listening } from './listen.js';

let health: Listening | undefined;

afterEach(() => health?.close());

async function ask(path: string, isReady: Readiness, method = 'GET') {
  health = await serveHealth({ host: '127.0.0.1', port: 0, isReady });
  const answer = await fetch(`${health.url}${path}`, { method });
  return [answer.status, await answer.text()];
}

const OK = '{"status":"ok"}';
const UNAVAILABLE = '{"status":"unavailable"}';

describe('a process', () => {
  it('is live without its dependencies', async () => {
    expect(await ask('/livez', () => Promise.resolve(false))).toEqual([200, OK]);
  });

  it('is ready when its dependencies are available', async () => {
    expect(await ask('/readyz', () => Promise.resolve(true))).toEqual([200, OK]);
    await health?.close();
    expect(await ask('/readyz', () => Promise.resolve(false))).toEqual([503, UNAVAILABLE]);
  });

  it('is not ready when the check fails', async () => {
    expect(await ask('/readyz', () => Promise.reject(new Error('no way')))).toEqual([503, UNAVAILABLE]);
  });

  it('is ready, and lists its troubles, when a component is degraded', async () => {
    const trouble = { place: 'relay', problem: 'the stream has lost events; they are published again' };
    const isReady = (): Promise<boolean> => Promise.resolve(true);
    health = await serveHealth({ host: '127.0.0.1', port: 0, isReady, troubles: () => [trouble] });
    const answer = await fetch(`${health.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'degraded', troubles: [trouble] }]);
  });

  it('answers 404 for other paths', async () => {
    expect(await ask('/constructor', () => Promise.resolve(true))).toEqual([404, '']);
    await health?.close();
    expect(await ask('/livez', () => Promise.resolve(true), 'POST')).toEqual([404, '']);
  });

  it('rejects when the health port is in use', async () => {
    const isReady = (): Promise<boolean> => Promise.resolve(true);
    health = await serveHealth({ host: '127.0.0.1', port: 0, isReady });
    const port = Number(new URL(health.url).port);
    await expect(serveHealth({ host: '127.0.0.1', port, isReady })).rejects.toThrow('EADDRINUSE');
  });
});
