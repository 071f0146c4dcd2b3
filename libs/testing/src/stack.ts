import { join } from 'node:path';
import { session, type ProgramRun } from './session.config.js';
import { stackTools, type JoinedStack, type Redis, type StackTools } from './tools.js';

/**
 * The running system that the integration and end-to-end specs share, with real Postgres, real NATS and all processes.
 * Specs do not disturb each other, because each signs up its own practices.
 */
export const stack = (): JoinedStack => (joined ??= stackTools().runningStack());
let joined: JoinedStack | undefined;

/** A data folder with the databases of all services, migrated and empty. A stack for one spec starts with a copy. */
export const templateFolder = (): string => stackTools().templateFolder();

/** Starts a system for one spec. */
export const startStack: StackTools['startStack'] = (options) => stackTools().startStack(options);

/** Starts a Redis for one spec. @param port the port of a Redis that was stopped, to replace it */
export function redis(port?: number): Promise<Redis> {
  const { cacheDir, dataDir } = stack();
  const place = { cacheDir, logDir: join(dataDir, 'logs'), ...(port !== undefined && { port }) };
  return stackTools().startRedis(place);
}

export const startStandby: StackTools['startStandby'] = (place) => stackTools().startStandby(place);

/** Opens a separate wire to the server of a URL. */
export const wireTo: StackTools['wireTo'] = (url) => stackTools().wireTo(url);

/** A free TCP port of the loopback address. */
export const freePort = (): Promise<number> => stackTools().freePort();

/** Runs `npm run keys`, `events`, … on a data folder, without the build that otherwise comes first. */
export function npmRun(
  name: string,
  args: readonly string[],
  dataDir = stack().dataDir,
): Promise<ProgramRun> {
  const code = `import(${JSON.stringify(stackTools().commandsFile)}).then((m) => m.run(${JSON.stringify(name)}, ${JSON.stringify(args)}))`;
  return session(process.execPath, ['-e', code], { env: { DATA_DIR: dataDir } });
}
