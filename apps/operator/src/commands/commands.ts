// The commands of the operator, the same on this machine (`npm run NAME -- …`) and in a container.
import { messageOf } from '@practice/process';
import { backupOf, wantedTime, type Place } from '../backup/commands.js';
import type { Wanted } from '../backup/restore.js';
import { Failure } from '../common/failure.js';
import { busProgram, EVENTS_USAGE, lag } from '../events/commands.js';
import { runProgram, type Program, type ServerAccess } from '../programs/run-program.js';
import {
  identityKeys,
  operatorsKeys,
  personalKeysOf,
  rotateKeys,
  type KeyList,
} from '../settings/key-lists.js';
import { readSettings } from '../settings/operator.config.js';
import type { ServerUrls } from '../settings/server-urls.js';
import { storedServices, type Service } from '../settings/services.js';

/** The functions that commands need where they run: on this machine, or in a container. */
export interface Surroundings {
  /** @throws {Failure} if there is no data */
  readonly withServers: ServerAccess;
  /** The servers of a running system. @throws {Failure} if none runs */
  readonly runningServers: () => Pick<ServerUrls, 'databaseUrl' | 'natsUrl'>;
  /** Carries out `events user …`. */
  readonly changeUsers: (args: readonly string[]) => Promise<void>;
  /** Receives the result of `log verify` for each service. */
  readonly noteVerification: (service: string, isIntact: boolean) => void;
  /** Begins an epoch in every log. */
  readonly beginEpochs: () => Promise<void>;
  readonly backups: () => Place;
  readonly restore: (wanted: Wanted) => Promise<void>;
}

/** @returns the exit code, if it is not 0 */
type Command = (args: readonly string[], surroundings: Surroundings) => Promise<number | void>;

const BROKEN = 1;
const NOT_CHECKED = 2;
const KEYS_USAGE =
  'Usage: npm run keys -- list | rotate [--in SECONDS] | withdraw KID | rotate-secrets | rotate-personal [SERVICE]';
const PROJECTIONS_USAGE = 'Usage: npm run projections -- rebuild SERVICE [--check]';
const LOG_USAGE = 'Usage: npm run log -- verify [SERVICE] | erase-practice THERAPIST_ID [--yes] | restored';
const MIGRATION_USAGE = 'Usage: npm run migration -- SERVICE nameOfTheMigration';

const commands: Readonly<Record<string, Command>> = {
  /**
   * `list`, `rotate [--in SECONDS]`, `withdraw KID`: keys that sign. `rotate-secrets`: the key that seals them and second factors.
   * `rotate-personal [SERVICE]`: keys that seal keys of clients.
   */
  keys: async ([verb = '', ...others], { withServers }) => {
    const identity = named('identity', KEYS_USAGE);
    if (verb === 'rotate-secrets') return rotateSecrets(identity, others, withServers);
    if (verb === 'rotate-personal') return rotatePersonal(others, withServers);
    if (!['list', 'rotate', 'withdraw'].includes(verb)) throw unknown(verb, KEYS_USAGE);
    return runOn(withServers, { service: identity, program: 'keys', args: [verb, ...others] });
  },
  /** `rebuild SERVICE [--check]` */
  projections: async ([verb = '', name, ...args], { withServers }) => {
    if (verb !== 'rebuild') throw unknown(verb, PROJECTIONS_USAGE);
    return runOn(withServers, { service: named(name, PROJECTIONS_USAGE), program: verb, args });
  },
  /** `republish SERVICE [--from POSITION|TIME] [--practice ID]`, `lag`, `dead-letters …`, `user …` */
  events: async ([verb = '', ...args], { withServers, runningServers, changeUsers }) => {
    if (verb === 'user') return changeUsers(args);
    if (verb === 'lag') return lag(runningServers());
    if (verb === 'dead-letters') return busProgram(runningServers(), 'dead-letters.js', args);
    if (verb !== 'republish') throw unknown(verb, EVENTS_USAGE);
    const [name, ...others] = args;
    return runOn(withServers, { service: named(name, EVENTS_USAGE), program: verb, args: others });
  },
  /**
   * `verify [SERVICE]`: ends with 0 (intact), 1 (broken) or 2 (could not check). `erase-practice THERAPIST_ID [--yes]`: with 0 (erased),
   * 1 (an unknown practice, or not confirmed) or 2 (could not). `restored`: with 0, or 2 if the system runs or it fails.
   */
  log: async ([verb = '', ...others], surroundings) => {
    if (verb === 'verify') return verify(others, surroundings);
    if (verb === 'restored') {
      refuseMore(others, verb, LOG_USAGE);
      return surroundings.beginEpochs();
    }
    if (verb !== 'erase-practice') throw unknown(verb, LOG_USAGE);
    const identity = named('identity', LOG_USAGE);
    return runOn(surroundings.withServers, { service: identity, program: verb, args: others });
  },
  /** `SERVICE NAME`, the name of the migration in camel case. */
  migration: async ([name, title = ''], { withServers }) => {
    const service = named(name, MIGRATION_USAGE);
    if (!/^[a-z][A-Za-z0-9]+$/.test(title))
      throw new Failure(`A migration needs a name such as addRoomToAppointments.\n${MIGRATION_USAGE}`);
    return runOn(withServers, { service, program: 'migrate', args: ['--write', title] });
  },
  backup: async (args, { backups }) => backupOf(backups(), args),
  restore: async (args, surroundings) => surroundings.restore(wantedTime(args)),
};

/** Runs a command, and sets the exit code. A failure is printed. */
export async function runCommand(
  name: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  try {
    process.exitCode = (await commands[name]?.(args, surroundings)) ?? 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = name === 'log' ? NOT_CHECKED : 1;
  }
}

const runOn = (withServers: ServerAccess, program: Program): Promise<number> =>
  withServers((servers) => runProgram(program, servers));

const unknown = (verb: string, usage: string): Failure =>
  new Failure(verb === '' ? usage : `There is no command ${verb}.\n${usage}`);

function refuseMore(others: readonly string[], verb: string, usage: string): void {
  if (others.length > 0) throw new Failure(`${verb} has no arguments, not ${others.join(', ')}.\n${usage}`);
}

/** The service with the name, which has a schema. @throws {Failure} when no service has the name */
function named(name: string | undefined, usage: string): Service {
  const service = storedServices.find((known) => known.name === name);
  if (service) return service;
  const names = storedServices.map((known) => known.name).join(', ');
  throw new Failure(`There is no service ${name ?? ''}: there are ${names}.\n${usage}`);
}

/** Rotates the key of identity. If the operator set the keys, they do not change: everything is only sealed with the newest of them. */
function rotateSecrets(
  service: Service,
  others: readonly string[],
  withServers: ServerAccess,
): Promise<number> {
  refuseMore(others, 'rotate-secrets', KEYS_USAGE);
  const program = { service, program: 'keys', args: ['seal-again'] };
  if (operatorsKeys(readSettings(), identityKeys) === undefined)
    return rotating(identityKeys, program, withServers);
  return runOn(withServers, program);
}

async function rotatePersonal(
  [name, ...others]: readonly string[],
  withServers: ServerAccess,
): Promise<number> {
  refuseMore(others, `rotate-personal ${name}`, KEYS_USAGE);
  for (const service of name === undefined ? storedServices : [named(name, KEYS_USAGE)]) {
    const program = { service, program: 'seal-keys', args: [] };
    const code = await rotating(personalKeysOf(service.name), program, withServers);
    if (code !== 0) return code;
  }
  return 0;
}

/** Rotates keys. Between the two steps, runs the program that seals everything again. */
const rotating = (keys: KeyList, program: Program, withServers: ServerAccess): Promise<number> =>
  withServers((servers) => rotateKeys(keys, servers.keyStore, () => runProgram(program, servers)));

async function verify(
  [name, ...others]: readonly string[],
  { withServers, noteVerification }: Surroundings,
): Promise<number> {
  refuseMore(others, `verify ${name}`, LOG_USAGE);
  const wanted = name === undefined ? storedServices : [named(name, LOG_USAGE)];
  return withServers(async (servers) => {
    const codes: number[] = [];
    for (const service of wanted) {
      const code = await runProgram({ service, program: 'verify', args: [] }, servers);
      noteVerification(service.name, code === 0);
      codes.push(code);
    }
    // A broken log is reported as broken, even if other logs could not be checked.
    return codes.includes(BROKEN) ? BROKEN : codes.every((code) => code === 0) ? 0 : NOT_CHECKED;
  });
}
