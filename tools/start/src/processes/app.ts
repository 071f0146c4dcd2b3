// One process of the product: a Node program of apps/, ready once its /readyz returns 200.
import { join } from 'node:path';
import {
  type Child,
  machineEnvironment,
  nodeFlagsOf,
  nodeMemory,
  projectFolder,
  type Service,
  startReady,
} from '@practice/operator';
import type { Target } from '../monitoring/targets.js';

export interface App {
  readonly name: string;
  readonly service: Service;
  readonly env: Readonly<Record<string, string>>;
  /** Where it answers /readyz. */
  readonly origin: string;
  /** Where it serves /metrics. */
  readonly target: Target;
  readonly logFile: string;
  /** Root of the tree whose build runs, if it is another version. */
  readonly tree?: string;
}

const READY_WITHIN = 60_000;
/** The process itself gives requests in flight 10 s. The rest of the time is for closing connections. */
const STOPPED_WITHIN = 13_000;

/**
 * Starts an app and waits until it is ready.
 * @throws {Failure} with the end of its log when it is not
 */
export function startApp(app: App): Promise<Child> {
  const { name, service, env, logFile, tree = projectFolder } = app;
  return startReady(
    {
      name,
      command: process.execPath,
      args: [...nodeFlagsOf(service), join(tree, 'apps', service.name, 'dist', 'main.js')],
      env: { ...machineEnvironment(), ...nodeMemory, ...env },
      logFile,
      orphaned: 'channel',
    },
    { isReady: () => answers(app, '/readyz'), within: READY_WITHIN },
  );
}

/** Stops an app, which first finishes the requests in flight. */
export function stopApp(child: Child): Promise<void> {
  return child.stop('SIGTERM', STOPPED_WITHIN);
}

/** Whether the app answers 200. */
export async function answers({ origin }: Pick<App, 'origin'>, path: '/livez' | '/readyz'): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
