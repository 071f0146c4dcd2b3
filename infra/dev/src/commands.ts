// Commands on one service's data. The service's own programs run them, on the running system or on servers started for
// the command.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JoinedStack } from './coordinates.js';
import { requireData } from './data-folder.js';
import { machineEnvironment, readSettings } from './dev.config.js';
import { Failure, messageOf } from './failure.js';
import { programOf } from './processes/app.js';
import { runningServers } from './run-file.js';
import { keyEncryptionKeyOf, openSecrets } from './secrets.js';
import { rolesOf, services, type Service } from './services.js';
import { startStack } from './stack.js';

export type Servers = Pick<JoinedStack, 'databaseUrl' | 'natsUrl'> & { readonly keyEncryptionKey: string };

/** Gives a command the servers that it needs, and stops servers that were started for it. */
type ServerAccess = (use: (servers: Servers) => Promise<number>) => Promise<number>;

/** `rebuild SERVICE [--check]` */
export function rebuild(args: readonly string[], access: ServerAccess = withStoredData): Promise<void> {
  const usage = 'Usage: npm run projections -- rebuild SERVICE [--check]';
  return command({ usage, access }, () => {
    const [verb, name, ...rest] = args;
    if (verb !== 'rebuild') throw new Failure(`There is no command ${verb ?? ''}.`);
    return { service: named(name), program: 'rebuild', args: rest };
  });
}

/** `republish SERVICE [--from POSITION|TIME] [--practice ID]` */
export function republish(args: readonly string[], access: ServerAccess = withStoredData): Promise<void> {
  const usage = 'Usage: npm run events -- republish SERVICE [--from POSITION|TIME] [--practice ID]';
  return command({ usage, access }, () => {
    const [verb, name, ...rest] = args;
    if (verb !== 'republish') throw new Failure(`There is no command ${verb ?? ''}.`);
    return { service: named(name), program: 'republish', args: rest };
  });
}

/** `list`, `rotate [--in SECONDS]`, `withdraw KID` */
export function keys(args: readonly string[], access: ServerAccess = withStoredData): Promise<void> {
  const usage = 'Usage: npm run keys -- list | rotate [--in SECONDS] | withdraw KID';
  return command({ usage, access }, () => {
    const [verb = ''] = args;
    if (!['list', 'rotate', 'withdraw'].includes(verb)) throw new Failure(`There is no command ${verb}.`);
    return { service: named('identity'), program: 'keys', args };
  });
}

/** `SERVICE NAME`, the name of the migration in camel case. */
export function writeMigration(args: readonly string[]): Promise<void> {
  const usage = 'Usage: npm run migration -- SERVICE nameOfTheMigration';
  return command({ usage, access: withServers }, () => {
    const [name, title = ''] = args;
    const service = named(name);
    if (!/^[a-z][A-Za-z0-9]+$/.test(title))
      throw new Failure('A migration needs a name such as addRoomToAppointments.');
    return { service, program: 'migrate', args: ['--write', title] };
  });
}

interface Program {
  readonly service: Service;
  readonly program: string;
  readonly args: readonly string[];
}

interface Manner {
  readonly usage: string;
  readonly access: ServerAccess;
}

async function command({ usage, access }: Manner, understand: () => Program): Promise<void> {
  try {
    const wanted = understood(usage, understand);
    process.exitCode = await access((servers) => run(wanted, servers));
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function understood(usage: string, understand: () => Program): Program {
  try {
    return understand();
  } catch (error) {
    throw new Failure(`${messageOf(error)}\n${usage}`);
  }
}

function named(name: string | undefined): Service {
  const service = services.find((known) => known.name === name);
  if (service) return service;
  throw new Failure(
    `There is no service ${name ?? ''}: there are ${services.map((known) => known.name).join(', ')}.`,
  );
}

/** The servers of a system that has been started before. */
const withStoredData: ServerAccess = (use) => {
  requireData(resolve(readSettings().DATA_DIR));
  return withServers(use);
};

/** The running servers of the data folder. If none run, its own are started for the command, with new data if the folder has no data. */
async function withServers(use: (servers: Servers) => Promise<number>): Promise<number> {
  const settings = readSettings();
  const running = runningServers(resolve(settings.DATA_DIR));
  if (running) {
    const secrets = openSecrets(resolve(settings.DATA_DIR));
    return use({ ...running, keyEncryptionKey: keyEncryptionKeyOf(settings, secrets) });
  }
  const stack = await startStack({
    settings,
    onlyServers: true,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  try {
    return await use({ ...stack, keyEncryptionKey: stack.coordinates.keyEncryptionKey });
  } finally {
    await stack.stop();
  }
}

function run({ service, program, args }: Program, servers: Servers): Promise<number> {
  const [file = '', ...command] = programOf(service, program);
  if (!existsSync(file)) throw new Failure(`${service.name} has nothing to do this with.`);
  const roles = rolesOf(service);
  const child = spawn(process.execPath, [file, ...command, ...args], {
    stdio: 'inherit',
    env: {
      ...machineEnvironment(),
      NODE_ENV: 'production',
      TZ: 'UTC',
      DATABASE_URL: servers.databaseUrl(roles.owner),
      RELAY_DATABASE_URL: servers.databaseUrl(roles.relay),
      NATS_URL: servers.natsUrl(service.name),
      ...(service.name === 'identity' ? { KEY_ENCRYPTION_KEY: servers.keyEncryptionKey } : {}),
    },
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}
