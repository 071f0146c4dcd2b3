// A cluster of three NATS servers with JetStream, whose members can be killed and started again.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { STREAM } from '@practice/contracts';
import {
  ADMIN,
  canConnect,
  type Child,
  freePort,
  productUsers,
  readSettings,
  serverFile,
  until,
  withConnection,
  withCredentials,
  writePrivately,
} from '@practice/operator';
import { findNatsServer } from '@practice/start';
import type { Means } from '../kit/means.js';
import { printedVersion } from '../kit/programs.js';
import { kill as killChild, startProgram } from '../kit/server-program.js';

const NAMES = ['nats-1', 'nats-2', 'nats-3'] as const;
const READY_WITHIN = 30_000;

/**
 * Starts the cluster, with the users of the product and their permissions.
 * @throws {Failure} when a server does not start
 */
export async function startNatsCluster(means: Means) {
  const program = await findNatsServer(readSettings().CACHE_DIR);
  const secret = randomUUID();
  const passwordOf = (user: string): string => `${user}-${secret}`;
  const members = await membersOf(means, { program, passwordOf });
  const running = new Map<string, Child>();
  const start = async (name: string): Promise<void> => {
    const member = members.find((one) => one.name === name);
    if (member === undefined) throw new Error(`there is no member ${name}`);
    running.set(name, await member.start());
  };
  const kill = async (name: string): Promise<void> => {
    const child = running.get(name);
    if (child !== undefined) await killChild(child);
  };
  await Promise.all(members.map(({ name }) => start(name)));
  means.note(await printedVersion(program));
  /** The URLs of all members, separated by commas, with the credentials of a user. */
  const natsUrl = (user: string): string =>
    members.map(({ url }) => withCredentials(url, user, passwordOf(user))).join(',');
  const admin = natsUrl(ADMIN);
  await until(() => hasLeader(admin), { within: READY_WITHIN, every: 200 });
  return {
    natsUrl,
    /** Starts a member again, on its ports and its files. */
    start,
    /** Ends a member at once, without a chance to write anything. */
    kill,
    /** The member that leads the stream of events; undefined during an election. */
    leader: async () => (await streamInfo(admin))?.cluster?.leader,
    /** Whether all members have all messages of the stream of events. */
    isWhole: async () => {
      const replicas = (await streamInfo(admin))?.cluster?.replicas ?? [];
      return replicas.length === NAMES.length - 1 && replicas.every(({ current }) => current);
    },
  };
}

async function membersOf(
  means: Means,
  { program, passwordOf }: { program: string; passwordOf: (user: string) => string },
) {
  const places = await Promise.all(
    NAMES.map(async (name) => ({ name, port: await freePort(), between: await freePort() })),
  );
  const routes = places.map(({ between }) => `nats://127.0.0.1:${between}`);
  const users = productUsers(passwordOf);
  return places.map(({ name, port, between }) => {
    const own = join(means.folder, name);
    mkdirSync(own, { recursive: true });
    const file = join(own, 'nats-server.conf');
    const member = { name, port: between, routes };
    writePrivately(file, serverFile({ host: '127.0.0.1', port, storeDir: own, users, member }));
    const url = `nats://127.0.0.1:${port}`;
    const start = (): Promise<Child> =>
      startProgram(means, {
        name,
        command: program,
        args: ['--config', file],
        isReady: () => canConnect(withCredentials(url, ADMIN, passwordOf(ADMIN))),
      });
    return { name, url, start };
  });
}

/** Whether the members have elected the leader that manages streams. */
const hasLeader = (url: string): Promise<boolean> =>
  withConnection(url, (connection) => jetstreamManager(connection, { timeout: 2000 })).then(
    () => true,
    () => false,
  );

const streamInfo = (url: string): Promise<StreamInfo | undefined> =>
  withConnection(url, async (connection) => {
    const { streams } = await jetstreamManager(connection, { timeout: 2000 });
    return streams.info(STREAM);
  }).catch(() => undefined);
