// The programs of a service, which work on its data.
import { spawn } from 'node:child_process';
import { machineEnvironment } from '../settings/operator.config.js';
import { run } from '../processes/run.js';
import { identityKeys, personalKeysOf, type KeyList, type KeyStore } from '../settings/key-lists.js';
import { programOf } from '../settings/project.js';
import type { ServerUrls } from '../settings/server-urls.js';
import { rolesOf, type Service } from '../settings/services.js';

export type Servers = Pick<ServerUrls, 'databaseUrl' | 'natsUrl'> & {
  /** The setting of a program with the keys of a list. */
  readonly keySetting: (keys: KeyList) => string;
  readonly keyStore: KeyStore;
};

/** Calls a command with the servers that it needs, and then stops the servers that were started for it. */
export type ServerAccess = <T>(use: (servers: Servers) => Promise<T>) => Promise<T>;

export interface Program {
  readonly service: Service;
  readonly program: string;
  readonly args: readonly string[];
}

type ProgramServers = Pick<Servers, 'databaseUrl' | 'natsUrl' | 'keySetting'>;

/** The environment of a program that works as the owner of the schema of a service. */
export const ownerEnvironment = (
  service: Service,
  { databaseUrl }: Pick<ServerUrls, 'databaseUrl'>,
): Record<string, string> => ({
  ...machineEnvironment(),
  NODE_ENV: 'production',
  TZ: 'UTC',
  DATABASE_URL: databaseUrl(rolesOf(service).owner),
});

/** The environment of a program that works on the data of a service. */
export function programEnvironment(service: Service, servers: ProgramServers): Record<string, string> {
  return {
    ...ownerEnvironment(service, servers),
    RELAY_DATABASE_URL: servers.databaseUrl(rolesOf(service).relay),
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
  return runNode([...programOf(service, program), ...args], programEnvironment(service, servers), output);
}

/**
 * Runs a program of a service to its end.
 * @param problem begins the message if it fails
 * @returns what it printed
 * @throws {Failure} with what it printed, if it fails
 */
export const outputOf = (
  { service, program, args }: Program,
  env: Readonly<Record<string, string>>,
  problem: string,
): Promise<string> => run(process.execPath, [...programOf(service, program), ...args], { env, problem });

/**
 * Runs a Node program.
 * @returns its exit code. 2 if a signal ended it: 1 can mean that it found a difference.
 */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  output: 'inherit' | number = 'inherit',
): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['inherit', output, output], env });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 2));
  });
}
