// A Prometheus with the configuration of infra/monitoring, beside a system on this machine.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineEnvironment } from '../dev.config.js';
import { Failure } from '../failure.js';
import { freePort } from '../ports.js';
import { projectFolder } from '../processes/app.js';
import { until } from '../until.js';

/** The program, if it is installed (Debian package `prometheus`). */
export const prometheusProgram = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
  .map((folder) => join(folder, 'prometheus'))
  .find(existsSync);

export interface Prometheus {
  /** The `data` of an answer of its API. @param path after `/api/v1/` @throws {Error} with its reason when it refuses */
  readonly ask: <T>(path: string) => Promise<T>;
  readonly stop: () => Promise<void>;
}

export interface PrometheusPlace {
  readonly program: string;
  /** For its configuration and its data. */
  readonly folder: string;
  /** DATA_DIR of the system. */
  readonly dataDir: string;
  /** Seconds between two scrapes. */
  readonly every: number;
}

const READY_WITHIN = 30_000;

/** Starts it on a free port, and waits until it answers. @throws {Failure} if it does not */
export async function startPrometheus(place: PrometheusPlace): Promise<Prometheus> {
  const address = `127.0.0.1:${await freePort()}`;
  const options = {
    'config.file': configuration(place),
    'storage.tsdb.path': join(place.folder, 'data'),
    'web.listen-address': address,
  };
  const child = spawn(
    place.program,
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore', env: machineEnvironment() },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const isReady = (): Promise<true | undefined> =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  if ((await until(isReady, { within: READY_WITHIN, every: 50 })) === undefined) {
    await stop();
    throw new Failure('Prometheus does not become ready.');
  }
  return { ask: (path) => ask(`http://${address}/api/v1/${path}`), stop };
}

/** Writes the configuration with the paths and the interval of this place. @returns its file */
function configuration({ folder, dataDir, every }: PrometheusPlace): string {
  const monitoring = join(projectFolder, 'infra', 'monitoring');
  const text = readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')
    .replaceAll('15s', `${every}s`)
    .replaceAll(/alerts[.\w]*\.yml/g, (file) => join(monitoring, file))
    .replace('../../.data', dataDir);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, text);
  return file;
}

async function ask<T>(url: string): Promise<T> {
  const response = await fetch(url, { headers: { connection: 'close' } });
  const { status, error, data } = (await response.json()) as { status: string; error?: string; data: T };
  if (status !== 'success') throw new Error(error);
  return data;
}
