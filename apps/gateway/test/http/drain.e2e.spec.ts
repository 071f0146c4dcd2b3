import { expect, it } from '@jest/globals';
import { eventually, stack } from '@practice/testing';

const statusOf = async (origin: string, path: string): Promise<readonly [number, string | null]> => {
  const response = await fetch(`${origin}${path}`);
  await response.arrayBuffer();
  return [response.status, response.headers.get('connection')];
};

it('the gateway serves requests for DRAIN_SECONDS after SIGTERM, while /readyz is 503', async () => {
  const gateway = await stack().spawnProcess('gateway', { DRAIN_SECONDS: '60' });
  try {
    expect(await statusOf(gateway.origin, '/readyz')).toEqual([200, 'keep-alive']);
    process.kill(gateway.pid, 'SIGTERM');
    await eventually('/readyz is 503', async () => (await statusOf(gateway.origin, '/readyz'))[0] === 503);
    expect(await statusOf(gateway.origin, '/livez')).toEqual([200, 'close']);
    expect(await statusOf(gateway.origin, '/rest/v1/clients')).toEqual([401, 'close']);
  } finally {
    process.kill(gateway.pid, 'SIGKILL');
    await gateway.exited;
  }
});

it('the gateway ends after DRAIN_SECONDS', async () => {
  const gateway = await stack().spawnProcess('gateway', { DRAIN_SECONDS: '1' });
  process.kill(gateway.pid, 'SIGTERM');
  expect(await gateway.exited).toEqual({ code: 0, signal: null });
});
