// Roles, database and schemas, so that each service reaches only its own data. Every start sets all of them again: a dump has no
// roles, no settings of roles and no rights on the database, so a note in the database that it is provisioned could be wrong.
import pg from 'pg';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import { rolesOf, schemaOf, type Service } from '../settings/services.js';
import type { DatabaseServer } from './servers.js';

export const DATABASE = 'practice';

/** A server to provision. On our own server, PUBLIC loses its rights on databases, on the schema `public` and to large objects. */
export interface Provisioning extends Omit<DatabaseServer, 'poolUrl'> {
  readonly passwordOf: (role: string) => string;
  /** Called before a password takes effect, so that no password is lost. */
  readonly save: () => void;
}

/**
 * Brings a server to the state that the services expect.
 * @throws {Failure} when the user lacks the rights or the server is too old
 */
export async function provision(provisioning: Provisioning): Promise<void> {
  if (provisioning.isOurs) await createDatabase(provisioning.adminUrl);
  await withClient(provisioning.adminUrl, async (client) => {
    await requireServer(client);
    const database =
      (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? '';
    // The statements make the passwords that do not exist yet.
    const statements = statementsFor(provisioning, database).join(';\n');
    provisioning.save();
    // One transaction: two starts at the same time leave one result.
    await client.query(`begin; select pg_advisory_xact_lock(7268011)`);
    await client.query(statements);
    await client.query('commit');
  }).catch((cause: unknown) => {
    if (cause instanceof Failure) throw cause;
    throw new Failure(`The database could not be prepared: ${messageOf(cause)}`, { cause });
  });
}

/** A busy machine may take several seconds to start a connection, and a failed connection ends the whole start. */
const CONNECT_WITHIN_MS = 30_000;

/**
 * A connection for provisioning.
 * @throws {Failure} when the server cannot be reached or refuses the user
 */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  await client.connect().catch((cause: unknown) => {
    throw new Failure(`Postgres at ${redacted(url)} cannot be used: ${messageOf(cause)}`, { cause });
  });
  client.on('error', () => undefined);
  return client;
}

/** Uses a connection, and closes it. @throws {Failure} as `connect` does */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const server = new URL(adminUrl);
  server.pathname = '/postgres';
  await withClient(server.href, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  }).catch((error: pg.DatabaseError) => {
    // Another start has created it just now.
    if (!['42P04', '23505'].includes(error.code ?? '')) throw error;
  });
}

async function requireServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; allowed: boolean; who: string }>(
    `select current_setting('server_version_num')::int as version, rolname as who,
            (rolsuper or rolcreaterole) and has_database_privilege(current_database(), 'create') as allowed
       from pg_roles where rolname = current_user`,
  );
  const [found] = rows;
  if (found && found.version < 150_000) throw new Failure('DATABASE_URL names a Postgres older than 15.');
  if (found?.allowed) return;
  throw new Failure(
    `The user ${found?.who ?? ''} of DATABASE_URL may not create roles and schemas: ` +
      'name a superuser, or one with CREATEROLE and CREATE on the database.',
  );
}

function statementsFor({ services, passwordOf, isOurs }: Provisioning, database: string): string[] {
  const db = pg.escapeIdentifier(database);
  return [
    'create schema if not exists infra',
    `create table if not exists infra.applied
       (name text primary key, hash text not null, at timestamptz not null default now())`,
    'create schema if not exists extensions',
    ...['btree_gist', 'btree_gin', 'pg_trgm'].map(
      (name) => `create extension if not exists ${name} with schema extensions`,
    ),
    statistics,
    ...(isOurs
      ? [
          // By default, all roles can connect to the two databases that every server has.
          `revoke all on database ${db}, postgres, template1 from public`,
          'revoke all on schema public from public',
          // A large object belongs to no schema, and to no practice.
          'revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public',
        ]
      : []),
    ...services.flatMap((service) => statementsOf(service, { db, passwordOf })),
  ];
}

/** Statistics of statements, if the server has loaded the library. Only the operator can read them. */
const statistics = `do $$ begin
  if (select rolsuper from pg_roles where rolname = current_user)
    and current_setting('shared_preload_libraries') like '%pg_stat_statements%' then
    create extension if not exists pg_stat_statements with schema extensions;
    revoke all on extensions.pg_stat_statements, extensions.pg_stat_statements_info from public;
  end if;
end $$`;

function statementsOf(
  service: Service,
  { db, passwordOf }: { db: string; passwordOf: (role: string) => string },
): string[] {
  const { owner, requests, relay } = rolesOf(service);
  const schema = schemaOf(service);
  return [
    ...[owner, requests, relay].flatMap((role) => [
      `do $$ begin
         if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
       end $$`,
      `alter role ${role} login noinherit password ${pg.escapeLiteral(passwordOf(role))}`,
      ifSuperuser(`alter role ${role} nosuperuser nobypassrls nocreaterole nocreatedb noreplication`),
      `alter role ${role} in database ${db} set search_path = ${schema}, extensions`,
      `alter role ${role} in database ${db} set timezone = 'UTC'`,
      `grant connect on database ${db} to ${role}`,
      `grant usage on schema extensions to ${role}`,
    ]),
    // An error message of Postgres may contain a value of a row or a filter. Our processes log their errors without them. Slow statements
    // are logged at the level above errors.
    ...[owner, requests, relay].map((role) =>
      ifSuperuser(`alter role ${role} in database ${db} set log_min_messages = 'log'`),
    ),
    // A rebuild folds the log into a second schema and swaps it in.
    `grant create, temporary on database ${db} to ${owner}`,
    `do $$ begin
       if not (select rolsuper from pg_roles where rolname = current_user) then
         execute format('grant ${owner} to %I', current_user);
       end if;
     end $$`,
    `create schema if not exists ${schema} authorization ${owner}`,
    `alter schema ${schema} owner to ${owner}`,
    `revoke all on schema ${schema} from public`,
    `grant usage on schema ${schema} to ${requests}, ${relay}`,
    `alter role ${requests} in database ${db} set statement_timeout = '5s'`,
    `alter role ${requests} in database ${db} set idle_in_transaction_session_timeout = '15s'`,
    // With the usual SERVICE_TIMEOUT_MS, a caller that waits longer for a practice's lock has already received 503.
    `alter role ${requests} in database ${db} set lock_timeout = '2500ms'`,
    // Every statement finds its rows through an index that begins with the practice, so one plan serves all values: by default,
    // Postgres would plan a statement with arrays for every execution.
    `alter role ${requests} in database ${db} set plan_cache_mode = 'force_generic_plan'`,
  ];
}

/** Wraps a statement that needs a superuser: it sets the log of a role, or takes away rights that only a superuser has. */
const ifSuperuser = (statement: string): string =>
  `do $$ begin
     if (select rolsuper from pg_roles where rolname = current_user) then ${statement}; end if;
   end $$`;

function redacted(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}
