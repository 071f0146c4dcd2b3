// The containers of docker-compose.yml under load: an upgrade, other settings, more and fewer processes, and restarts.
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, machineEnvironment, run as runProgram, services } from '@practice/operator';
import { findProgram, Missing } from '@practice/chaos';
import type { ApiAccess } from '@practice/start';
import { underLoad } from './deploy/under-load.js';
import type { Drill, Drilling } from './kit/drill.js';

/** Within this time, the last process with changed settings has started again. */
const RESTARTED_MS = 10_000;

export const compose: Drill = {
  name: 'compose',
  title: 'containers are upgraded, scaled, restarted and get other settings under load, and no request fails',
  run: async (drilling) => {
    const port = await freePort();
    const project = projectOf(await findDocker(), port);
    const api = await started(drilling, project, `http://127.0.0.1:${port}`);
    for (const { title, touched, work } of stepsOf(project)) {
      const before = await project.containers();
      await underLoad(drilling, api, {
        title,
        mayRefuseStreams: touched.includes('live'),
        work: async () => {
          await work();
          return `${touched.length} services`;
        },
      });
      const found = changed(before, await project.containers());
      const isExact = String(found) === String([...touched].sort());
      drilling.check(`${title}: only what it concerns starts again`, isExact, found);
    }
  },
};

/** Starts the containers from an image that the upgrade replaces. */
async function started({ atEnd }: Drilling, { run }: Project, baseUrl: string): Promise<ApiAccess> {
  await run('compose build');
  await run('build --tag practice-api:0.2.0 -', { input: 'FROM practice-api:0.2.0\nLABEL before=upgrade\n' });
  atEnd(() => run('compose down --volumes --timeout 1'));
  await run('compose up --detach --wait');
  const apikey = / API key (\S+)/.exec(await run('compose logs secrets'))?.[1] ?? '';
  return { baseUrl, apikey };
}

interface Step {
  readonly title: string;
  /** The services whose containers start again. */
  readonly touched: readonly string[];
  readonly work: () => Promise<unknown>;
}

function stepsOf({ run, upgrade }: Project): readonly Step[] {
  const all = services.map(({ name }) => name);
  const up = (settings = {}, ...scale: readonly string[]): Promise<string> =>
    run(`compose up --detach --wait ${scale.map((one) => `--scale ${one}`).join(' ')}`, { settings });
  const set = (settings: object) => () => up(settings).then(() => pause(RESTARTED_MS));
  const quiet = { LOG_LEVEL: 'warn' };
  const scaled = ['gateway', 'scheduling'];
  return [
    { title: 'upgrade', touched: ['secrets', ...all], work: upgrade },
    { title: 'up after it', touched: [], work: () => up() },
    { title: 'setting of one', touched: ['secrets', 'identity'], work: set({ SESSION_IDLE_MINUTES: '700' }) },
    { title: 'setting of all', touched: ['secrets', ...all], work: set(quiet) },
    { title: 'scale up', touched: scaled, work: () => up(quiet, 'gateway=2', 'scheduling=3') },
    { title: 'scale down', touched: scaled, work: () => up(quiet) },
    ...all.map((name) => ({
      title: `restart of ${name}`,
      touched: [name],
      work: () => run(`compose restart ${name}`),
    })),
  ];
}

interface Given {
  readonly input?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs a command of Docker. @returns its standard output */
type Run = (command: string, given?: Given) => Promise<string>;

/** Runs Docker's commands for the drill's own project. */
function projectOf(docker: string, port: number) {
  const env = {
    ...machineEnvironment('DOCKER_HOST', 'DOCKER_CONTEXT'),
    COMPOSE_FILE: 'docker-compose.yml:infra/docker/development.yml',
    COMPOSE_PROJECT_NAME: `practice-drill-${port}`,
    EDGE_NETWORK: '172.30.83.0/24',
    PORT: String(port),
    LIMIT_READS_PER_MINUTE: '0',
    LIMIT_WRITES_PER_MINUTE: '0',
    LIMIT_AUTH_PER_MINUTE: '0',
  };
  const run: Run = (command, { input = '', settings = {} } = {}) =>
    runProgram(docker, command.trim().split(/\s+/), { input, env: { ...env, ...settings } });
  return {
    run,
    upgrade: (): Promise<string> => runProgram('bash', ['apps/operator/container/upgrade.sh'], { env }),
    /** The ids and start times of the running containers, by the name of their service. */
    containers: async (): Promise<ReadonlyMap<string, string>> => {
      const ids = (await run('compose ps --quiet')).trim().split('\n');
      const format = '{{index .Config.Labels "com.docker.compose.service"}} {{.Id}} {{.State.StartedAt}}';
      const lines = await runProgram(docker, ['inspect', '--format', format, ...ids], { env });
      const found = new Map<string, string>();
      for (const line of lines.trim().split('\n').sort()) {
        const [name = ''] = line.split(' ');
        found.set(name, `${found.get(name) ?? ''}${line}\n`);
      }
      return found;
    },
  };
}

type Project = ReturnType<typeof projectOf>;

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();

async function findDocker(): Promise<string> {
  const docker = await findProgram({ program: 'docker', debian: 'docker.io docker-compose', since: '25.0' });
  for (const command of ['info', 'compose version'])
    await runProgram(docker, command.split(' '), {
      env: machineEnvironment('DOCKER_HOST', 'DOCKER_CONTEXT'),
    }).catch(() => {
      throw new Missing(`docker ${command} fails: a running engine and Compose are needed.`);
    });
  return docker;
}
