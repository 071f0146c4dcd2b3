// Commands on one service's data. The service's own programs run them.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { machineEnvironment, readSettings } from '../settings/operator.config.js';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import {
  identityKeys,
  operatorsKeys,
  personalKeysOf,
  rotateKeys,
  type KeyList,
  type WriteKeyFile,
} from '../settings/key-lists.js';
import { programOf } from '../settings/project.js';
import type { Secrets } from '../settings/secrets.js';
import type { ServerUrls } from '../settings/server-urls.js';
import { rolesOf, services, storedServices, type Service } from '../settings/services.js';

export type Servers = Pick<ServerUrls, 'databaseUrl' | 'natsUrl'> & {
  /** The setting of a program with the keys of a list. */
  readonly keySetting: (keys: KeyList) => string;
  /** Where the keys of a list are replaced. */
  readonly keyStore: () => { readonly secrets: Secrets; readonly write: WriteKeyFile };
};

/** Gives a command the servers that it needs, and stops servers that were started for it. */
export type ServerAccess = (use: (servers: Servers) => Promise<number>) => Promise<number>;

/** `rebuild SERVICE [--check]` */
export function rebuild(args: readonly string[], access: ServerAccess): Promise<void> {
  const usage = 'Usage: npm run projections -- rebuild SERVICE [--check]';
  return command({ usage, access }, () => {
    const [verb, name, ...rest] = args;
    if (verb !== 'rebuild') throw new Failure(`There is no command ${verb ?? ''}.`);
    return { service: named(name), program: 'rebuild', args: rest };
  });
}

/** `republish SERVICE [--from POSITION|TIME] [--practice ID]` */
export function republish(args: readonly string[], access: ServerAccess): Promise<void> {
  const usage = 'Usage: npm run events -- republish SERVICE [--from POSITION|TIME] [--practice ID]';
  return command({ usage, access }, () => {
    const [verb, name, ...rest] = args;
    if (verb !== 'republish') throw new Failure(`There is no command ${verb ?? ''}.`);
    return { service: named(name), program: 'republish', args: rest };
  });
}

/**
 * `list`, `rotate [--in SECONDS]`, `withdraw KID`: keys that sign. `rotate-secrets`: the key that seals them and second factors.
 * `rotate-personal [SERVICE]`: keys that seal keys of clients.
 */
export function keys(args: readonly string[], access: ServerAccess): Promise<void> {
  const usage =
    'Usage: npm run keys -- list | rotate [--in SECONDS] | withdraw KID | rotate-secrets | rotate-personal [SERVICE]';
  const [verb = '', ...names] = args;
  if (verb === 'rotate-secrets') return rotateSecrets(names, { usage, access });
  if (verb === 'rotate-personal') return rotatePersonal(names, { usage, access });
  return command({ usage, access }, () => {
    if (!['list', 'rotate', 'withdraw'].includes(verb)) throw new Failure(`There is no command ${verb}.`);
    return { service: named('identity'), program: 'keys', args };
  });
}

/** Keys of the operator stay as they are: everything is only sealed again with the newest. */
function rotateSecrets(extra: readonly string[], { usage, access }: Manner): Promise<void> {
  const isOperators = operatorsKeys(readSettings(), identityKeys) !== undefined;
  return command({ usage, access: isOperators ? access : rotating(identityKeys, access) }, () => {
    if (extra.length > 0) throw new Failure(`rotate-secrets has no arguments, not ${extra.join(', ')}.`);
    return { service: named('identity'), program: 'keys', args: ['seal-again'] };
  });
}

/** The servers of a command that seals again, which runs between the two steps of a rotation. */
const rotating =
  (keys: KeyList, access: ServerAccess): ServerAccess =>
  (use) =>
    access((servers) => rotateKeys(keys, servers.keyStore(), () => use(servers)));

async function rotatePersonal(names: readonly string[], { usage, access }: Manner): Promise<void> {
  const [name, ...others] = names;
  const wanted = name === undefined ? storedServices : [{ name }];
  for (const { name: wantedName } of wanted) {
    await command({ usage, access: rotating(personalKeysOf(wantedName), access) }, () => {
      if (others.length > 0) throw new Failure(`One service at most, not also ${others.join(', ')}.`);
      return { service: named(wantedName), program: 'seal-keys', args: [] };
    });
    if (process.exitCode !== 0) return;
  }
}

export interface Program {
  readonly service: Service;
  readonly program: string;
  readonly args: readonly string[];
}

interface Manner {
  readonly usage: string;
  readonly access: ServerAccess;
}

/** Runs a program of a service. A failure is printed, with exit status 1. */
export async function command({ usage, access }: Manner, understand: () => Program): Promise<void> {
  try {
    const wanted = understood(usage, understand);
    process.exitCode = await access((servers) => runProgram(wanted, servers));
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

/** @throws {Failure} when no service has the name */
export function named(name: string | undefined): Service {
  const service = services.find((known) => known.name === name);
  if (service) return service;
  throw new Failure(
    `There is no service ${name ?? ''}: there are ${services.map((known) => known.name).join(', ')}.`,
  );
}

type ProgramServers = Pick<Servers, 'databaseUrl' | 'natsUrl' | 'keySetting'>;

/** The environment of a program that works on the data of a service. */
export function programEnvironment(service: Service, servers: ProgramServers): Record<string, string> {
  const roles = rolesOf(service);
  return {
    ...machineEnvironment(),
    NODE_ENV: 'production',
    TZ: 'UTC',
    DATABASE_URL: servers.databaseUrl(roles.owner),
    RELAY_DATABASE_URL: servers.databaseUrl(roles.relay),
    NATS_URL: servers.natsUrl(service.name),
    PERSONAL_KEYS: servers.keySetting(personalKeysOf(service.name)),
    ...(service.name === 'identity' && { KEY_ENCRYPTION_KEY: servers.keySetting(identityKeys) }),
  };
}

/**
 * Runs a program of a service on these servers.
 * @param output where it prints: the terminal, or an open file
 * @returns its exit code
 */
export function runProgram(
  { service, program, args }: Program,
  servers: ProgramServers,
  output: 'inherit' | number = 'inherit',
): Promise<number> {
  const [file = '', ...command] = programOf(service, program);
  if (!existsSync(file)) throw new Failure(`${service.name} does not support this command.`);
  const child = spawn(process.execPath, [file, ...command, ...args], {
    stdio: ['inherit', output, output],
    env: programEnvironment(service, servers),
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}
