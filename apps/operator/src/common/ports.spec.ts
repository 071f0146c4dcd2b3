import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { freePort, requireFreePort } from './ports.js';

describe('a free port', () => {
  it('is another one each time, below the ports of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 100 }, freePort));
    expect(new Set(ports).size).toBe(100);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    await expect(requireFreePort('127.0.0.1', ports[0] as number)).resolves.toBeUndefined();
  });

  it('is free no longer once a process listens on it', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await expect(requireFreePort('127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken.`);
    await new Promise((resolve) => server.close(resolve));
  });
});
