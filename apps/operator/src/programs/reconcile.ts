// Checks before the services start whether the logs, the stream and the followers match, as they do after an orderly stop. If they
// do not, each service's program compares them: an older copy of the database or of the stream may have been restored.
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { STREAM } from '@practice/contracts';
import { Failure } from '../common/failure.js';
import { withConnection } from '../nats/stream.js';
import { ADMIN } from '../nats/users.js';
import { withClient } from '../postgres/provision.js';
import type { ServerUrls } from '../settings/server-urls.js';
import type { Stages } from '../common/stages.js';
import { outputOf, ownerEnvironment } from './run-program.js';
import { rolesOf, schemaOf, storedServices, type Service } from '../settings/services.js';

export type ReconciledInfra = Pick<ServerUrls, 'databaseUrl' | 'natsUrl'>;

export interface ReconcileOptions {
  /** Begins an epoch in every log: the database was restored, and the stream may not show it. */
  readonly everywhere?: boolean;
}

/** Milliseconds before the second and the third attempt. Every attempt can be repeated. */
const PAUSES = [1_000, 3_000];

/**
 * Compares logs and stream if something has changed since the services stopped. While services run, nothing is compared: the
 * preparation of containers also runs beside running services.
 * @throws {Failure} with the output of a program that failed three times, or if epochs are to begin while services run
 */
export async function reconcileAll(
  infra: ReconciledInfra,
  stages: Stages,
  { everywhere = false }: ReconcileOptions = {},
): Promise<void> {
  await stages.run(
    'Logs and stream',
    () => persistently(() => differences(infra, everywhere)),
    (found) => found.join('; ') || 'the same',
  );
}

async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of PAUSES)
    try {
      return await work();
    } catch {
      await pause(wait);
    }
  return work();
}

/** The lines that the programs print about differences; empty if nothing has changed. */
async function differences(infra: ReconciledInfra, everywhere: boolean): Promise<string[]> {
  if (await servicesRun(infra)) {
    if (everywhere) throw new Failure('Services run on this database. Stop them first.');
    return ['not compared, because services run'];
  }
  if (!everywhere && (await isAsLeft(infra))) return [];
  const args = everywhere ? ['--restored'] : [];
  const found = await Promise.all(storedServices.map((service) => reconcile(service, infra, args)));
  return found.flatMap((output) => output.split('\n').filter((line) => line !== ''));
}

/** Each running service has a relay, which keeps a connection. */
async function servicesRun(infra: ReconciledInfra): Promise<boolean> {
  const running = await Promise.all(storedServices.map((service) => runs(service, infra)));
  return running.includes(true);
}

function runs(service: Service, { databaseUrl }: ReconciledInfra): Promise<boolean> {
  const { owner, relay } = rolesOf(service);
  return withClient(databaseUrl(owner), async (client) => {
    const { rowCount } = await client.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = $1 LIMIT 1',
      [relay],
    );
    return rowCount !== 0;
  });
}

const isAsLeft = ({ databaseUrl, natsUrl }: ReconciledInfra): Promise<boolean> =>
  withConnection(natsUrl(ADMIN), async (nats) => {
    const { streams, consumers } = await jetstreamManager(nats);
    const { created, state } = await streams.info(STREAM);
    const notes = await Promise.all(
      storedServices.map((service) => notesOf(service, { databaseUrl, stream: created })),
    );
    if (Math.max(0, ...notes.map(({ published }) => published)) !== state.last_seq) return false;
    const followed = new Map(notes.flatMap(({ followed }) => [...followed]));
    for await (const { name, delivered } of consumers.list(STREAM))
      if (isMirrors(name) && delivered.stream_seq > (followed.get(subscriptionOf(name)) ?? 0)) return false;
    return true;
  });

/** The subscription of a consumer. A subscription has two names for consumers: when it grows, a consumer with the other name replaces the first. */
const subscriptionOf = (consumer: string): string => consumer.replace(/~2$/, '');

const isMirrors = (consumer: string): boolean =>
  storedServices.some(({ name }) => consumer.startsWith(`${name}-mirror-`));

/** Reads as the owner of the schema: the user who prepares the database may have no rights on its tables. */
function notesOf(
  service: Service,
  { databaseUrl, stream }: Pick<ReconciledInfra, 'databaseUrl'> & { readonly stream: string },
) {
  const schema = schemaOf(service);
  return withClient(databaseUrl(rolesOf(service).owner), async (client) => {
    const { rows: published } = await client.query<{ last: number }>(
      `SELECT coalesce(max(sequence), 0)::float8 AS last FROM "${schema}".published WHERE stream = $1`,
      [stream],
    );
    // A service without a mirror does not have the table.
    const { rows: tables } = await client.query(
      `SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'followed'`,
      [schema],
    );
    const { rows } =
      tables.length === 0
        ? { rows: [] }
        : await client.query<{ subscription: string; sequence: number }>(
            `SELECT subscription, sequence::float8 AS sequence FROM "${schema}".followed WHERE stream = $1`,
            [stream],
          );
    return {
      /** The last message of the stream that the service published. */
      published: published[0]?.last ?? 0,
      /** How far its mirror has followed the stream, by subscription. */
      followed: new Map(rows.map(({ subscription, sequence }) => [subscription, sequence])),
    };
  });
}

function reconcile(service: Service, infra: ReconciledInfra, args: readonly string[]): Promise<string> {
  const env = { ...ownerEnvironment(service, infra), NATS_URL: infra.natsUrl(ADMIN) };
  const problem = `The log of ${service.name} and the stream could not be compared`;
  return outputOf({ service, program: 'reconcile', args }, env, problem);
}
