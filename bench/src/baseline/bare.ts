import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface BareServer {
  readonly pid: number;
  readonly origin: string;
  stop(): void;
}

/** Starts the bare server in a process of its own. */
export async function startBare(databaseUrl: string): Promise<BareServer> {
  const child = fork(join(import.meta.dirname, 'server.js'), {
    env: { NODE_ENV: 'production' },
  });
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('message', ({ origin: at }: { origin: string }) => resolve(at));
    child.once('exit', (code) => reject(new Error(`the bare server ended with status ${code}`)));
    child.send({ databaseUrl });
  });
  return { pid: child.pid ?? 0, origin, stop: () => void child.kill() };
}
