// A cluster of three members under Patroni, and HAProxy in front, which forwards to the leader.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Failure, freePort, until, withCredentials } from '@practice/operator';
import { Missing, type Means } from '../../kit/means.js';
import { findHaproxy, startHaproxy } from '../../kit/haproxy.js';
import { findProgram, printedVersion } from '../../kit/programs.js';
import { isOk, startProgram } from '../../kit/server-program.js';
import { memberAt, type Member } from './member.js';

const NAMES = ['postgres-1', 'postgres-2', 'postgres-3'] as const;
const READY_WITHIN = 120_000;
const VERSIONS = '/usr/lib/postgresql';

/**
 * Starts the cluster.
 * @throws {Missing} if a program is not installed
 * @throws {Failure} when the cluster has no leader within two minutes
 */
export async function startPatroni(means: Means) {
  const found = await findPrograms();
  const etcd = await startEtcd(means, found.etcd);
  const passwords = { superuser: randomUUID(), replication: randomUUID() };
  const members = await Promise.all(
    NAMES.map((name) => memberAt(means, { name, etcd, programs: found, passwords })),
  );
  means.atEnd(() => Promise.all(members.map(({ kill }) => kill())));
  await Promise.all(members.map(({ start }) => start()));
  const whole = await until(() => isWhole(members), { within: READY_WITHIN, every: 250 });
  if (whole === undefined) throw new Failure('The Patroni cluster did not become whole within two minutes.');
  const versions = [found.patroni, join(found.postgres, 'postgres')].map((program) =>
    printedVersion(program),
  );
  means.note((await Promise.all(versions)).join(', '));
  const port = await startHaproxy(means, found.haproxy, {
    name: 'postgres',
    config: ['patroni', 'haproxy.cfg'],
    servers: members.map((member) => `127.0.0.1:${member.port} port ${member.apiPort}`),
  });
  const url = withCredentials(`postgres://127.0.0.1:${port}/postgres`, 'postgres', passwords.superuser);
  await until(() => leadsOnly(url), { within: READY_WITHIN, every: 250 });
  return {
    /** URL for the superuser, through HAProxy. */
    url,
    /** The member that leads; undefined during an election. */
    leader: () => leaderOf(members),
    isWhole: () => isWhole(members),
    /** Asks Patroni to hand over to another member. */
    switchover: async (from: Member): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${from.apiPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name }),
      });
      if (!response.ok) throw new Failure(`Patroni refused the switchover: ${await response.text()}`);
    },
  };
}

export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>;

async function findPrograms(): Promise<Record<'patroni' | 'etcd' | 'haproxy' | 'postgres', string>> {
  const [patroni, etcd, haproxy] = await Promise.all([
    findProgram({ program: 'patroni', debian: 'patroni', since: '3.0' }),
    findProgram({ program: 'etcd', debian: 'etcd-server', since: '3.4' }),
    findHaproxy(),
  ]);
  return { patroni, etcd, haproxy, postgres: findPostgres() };
}

/** The folder of the newest Postgres. Debian keeps each version in a folder of its own. */
function findPostgres(): string {
  const all = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const newest = Math.max(
    0,
    ...all.filter((version) => existsSync(join(VERSIONS, `${version}`, 'bin', 'postgres'))),
  );
  if (newest < 15) throw new Missing('Postgres 15 or newer is not installed (apt-get install postgresql).');
  return join(VERSIONS, String(newest), 'bin');
}

/** Starts an etcd with one member, where a Patroni cluster records its leader. @returns its address */
async function startEtcd(means: Means, program: string): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
  const own = (address = ''): string => `http://${address}`;
  const options = {
    name: 'etcd',
    'data-dir': join(means.folder, 'etcd'),
    'listen-client-urls': own(client),
    'advertise-client-urls': own(client),
    'listen-peer-urls': own(peer),
    'initial-advertise-peer-urls': own(peer),
    'initial-cluster': `etcd=${own(peer)}`,
  };
  await startProgram(means, {
    name: 'etcd',
    command: program,
    args: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    isReady: () => isOk(`${own(client)}/health`),
  });
  return client ?? '';
}

interface Seen {
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

const LEADING = ['leader', 'master', 'primary'];
const RUNNING = ['running', 'streaming'];

/** The members as the first one that answers sees them. */
async function seenBy(members: readonly Member[]): Promise<readonly Seen[]> {
  for (const { apiPort } of members)
    try {
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
        signal: AbortSignal.timeout(1000),
      });
      return ((await response.json()) as { members: Seen[] }).members;
    } catch {
      continue;
    }
  return [];
}

/** Asks each member whether it leads, as the members' information about each other may be outdated. */
async function leaderOf(members: readonly Member[]): Promise<Member | undefined> {
  const leads = await Promise.all(members.map(({ apiPort }) => isOk(`http://127.0.0.1:${apiPort}/primary`)));
  return members.find((_, index) => leads[index]);
}

/** Whether one member leads, the others follow it, and one of them is the synchronous standby, which has each commit. */
async function isWhole(members: readonly Member[]): Promise<boolean> {
  const seen = await seenBy(members);
  const [first] = seen;
  return (
    seen.length === members.length &&
    seen.every(({ state, timeline }) => RUNNING.includes(state) && timeline === first?.timeline) &&
    seen.filter(({ role }) => LEADING.includes(role)).length === 1 &&
    seen.some(({ role }) => role === 'sync_standby')
  );
}

/** Whether connections reach only the leader. HAProxy gives each to the next server, and takes an unchecked server for the leader. */
async function leadsOnly(url: string): Promise<boolean> {
  for (const _ of NAMES) if (!(await takesWrites(url))) return false;
  return true;
}

/** Writes a transaction that a standby must confirm. */
async function takesWrites(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 500, query_timeout: 500 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`SELECT pg_logical_emit_message(true, 'drill', '')`);
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}
