import { describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, requireFreePort } from './ports.js';

describe('a free port', () => {
  it('is different each time, and below the ports of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 100 }, freePort));
    expect(new Set(ports).size).toBe(100);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    await expect(requireFreePort('127.0.0.1', ports[0] as number)).resolves.toBeUndefined();
  });

  it('is claimed with a UDP socket of the same number, which other processes see', async () => {
    const other = createSocket('udp4');
    const failed = once(other, 'error');
    other.bind({ address: '127.0.0.1', port: await freePort(), exclusive: true });
    expect(await failed).toEqual([expect.objectContaining({ code: 'EADDRINUSE' })]);
    other.close();
  });

  it('is no longer free once a process listens on it', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await expect(requireFreePort('127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken.`);
    await new Promise((resolve) => server.close(resolve));
  });
});
