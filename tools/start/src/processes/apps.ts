// The product's own processes: every service, and the gateway in front of them.
import { freePort, GATEWAY, LIVE, type Service, services, type Stages } from '@practice/operator';
import { answers, type App, appOf, type AppPlace, type Extra, spawnExtra, startApp, stopApp } from './app.js';
import type { LogTail } from './log-tail.js';
import type { ProcessTable } from './process-table.js';
import { patient } from './health.js';
import { watch, type Watched } from './watch.js';

export interface AppsPlace extends AppPlace {
  /** Port of the gateway. */
  readonly port: number;
  readonly stages: Stages;
  readonly processTable: ProcessTable;
  readonly logTail: LogTail;
}

/**
 * Starts the processes of these services side by side and waits until each is ready.
 * @throws {Failure} when one does not become ready; the others are stopped again
 */
export async function startApps(wanted: readonly Service[], place: AppsPlace) {
  const planned = await Promise.all(wanted.flatMap((service) => processesOf(service, place)));
  const starting = planned.map((app) => keepRunning(app, place));
  // The first failure is the cause: others may have waited for the process that failed.
  const failed = await Promise.all(starting).then(
    () => undefined,
    (reason: unknown) => ({ reason }),
  );
  const started = await Promise.allSettled(starting);
  const running: Stoppable[] = started.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const stop = (): Promise<void> => stopInOrder(running, place);
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return {
    /** Where the processes serve /metrics. */
    targets: planned.map(({ target }) => target),
    stop,
    spawn: async (name: string, env?: Readonly<Record<string, string>>): Promise<Extra> => {
      const extra = await spawnExtra(place, name, env);
      running.push(extra);
      return extra;
    },
  };
}

export type Apps = Awaited<ReturnType<typeof startApps>>;

type Stoppable = Pick<Extra, 'name' | 'stop'>;

function processesOf(service: Service, place: AppsPlace): Promise<App>[] {
  const { settings, port, liveUrls } = place;
  const counts: Readonly<Record<string, number>> = {
    scheduling: settings.SCHEDULING_PROCESSES,
    [LIVE]: liveUrls.length,
  };
  const portOf = async (index: number): Promise<number> => {
    if (service.name === GATEWAY) return port;
    return service.name === LIVE ? Number(new URL(liveUrls[index] as string).port) : freePort();
  };
  return Array.from({ length: counts[service.name] ?? 1 }, async (_, index) =>
    appOf(service, place, {
      name: index === 0 ? service.name : `${service.name}-${index + 1}`,
      port: await portOf(index),
      metricsPort: await freePort(),
    }),
  );
}

function keepRunning(app: App, { stages, processTable, logTail }: AppsPlace): Promise<Watched> {
  logTail.follow(app.name, app.logFile);
  return stages.run(app.name, () =>
    watch({
      name: app.name,
      start: () => startApp(app),
      health: patient(async () => ((await answers(app, '/livez')) ? 'well' : 'silent')),
      stop: stopApp,
      onChange: (pid) => processTable.note(app.name, pid),
      say: stages.say,
    }),
  );
}

/** Stops gateways first, so that no request goes to a service that has stopped. */
async function stopInOrder(running: readonly Stoppable[], place: AppsPlace): Promise<void> {
  const isEdge = ({ name }: Stoppable): boolean =>
    services.some((one) => !one.answers && name.startsWith(one.name));
  await Promise.all(running.filter(isEdge).map((one) => one.stop()));
  await Promise.all(running.filter((one) => !isEdge(one)).map((one) => one.stop()));
  place.logTail.stop();
}
