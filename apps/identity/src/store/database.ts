// TypeORM's view of the tables of this service. It opens no connection: each statement runs on the connection of the transaction
// that it belongs to, since row-level security depends on the settings of that transaction.

import type { Statement } from '@practice/log';
import pg, { type ClientBase } from 'pg';
import { DataSource, DefaultNamingStrategy, QueryFailedError, Raw, Table, TableForeignKey } from 'typeorm';
import type {
  DeleteQueryBuilder,
  EntityManager,
  EntityTarget,
  FindOptionsWhere,
  InsertQueryBuilder,
  ObjectLiteral,
  QueryBuilder,
  QueryDeepPartialEntity,
  UpdateQueryBuilder,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import * as accounts from './account.entities.js';
import * as oauth from './oauth.entities.js';
import * as passkeys from './passkey.entities.js';
import * as practices from './practice.entities.js';
import * as records from './record.entities.js';
import * as sessions from './session.entities.js';

/** The tables that hold no records. */
const privateTables = [accounts, sessions, passkeys, practices, oauth].flatMap((entities) =>
  Object.values(entities),
);

/** Columns in snake case, and constraints named as Postgres would name them. */
class PostgresNames extends DefaultNamingStrategy {
  override columnName(property: string, custom: string): string {
    return custom || property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.bare(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.bare(table)}_${columns.join('_')}_fkey`;
  }

  private bare(table: Table | string): string {
    return this.getTableName(table).replace(/^.*\./, '');
  }
}

class Tables extends DataSource {
  /** Reads the entities; `initialize` would also open connections. */
  read(): Promise<void> {
    return this.buildMetadatas();
  }
}

const tables = new Tables({
  type: 'postgres',
  driver: pg,
  schema: 'identity',
  entities: [...privateTables, ...Object.values(records)],
  namingStrategy: new PostgresNames(),
});
await tables.read();

/** Runs statements on the connection of an open transaction. */
class TransactionRunner extends PostgresQueryRunner {
  override readonly isTransactionActive = true;

  constructor(client?: ClientBase) {
    super(tables.driver as PostgresDriver, 'master');
    this.databaseConnection = client;
  }

  /** @throws the driver's own error: callers check its class, its code and its constraint */
  override query(...statement: Parameters<PostgresQueryRunner['query']>): Promise<never> {
    return super.query(...statement).catch((error: unknown) => {
      throw error instanceof QueryFailedError ? error.driverError : error;
    }) as Promise<never>;
  }
}

const managers = new WeakMap<ClientBase, EntityManager>();

/** The tables as the transaction on this connection sees them. */
export function tablesOn(client: ClientBase): EntityManager {
  const known = managers.get(client);
  if (known !== undefined) return known;
  const manager = tables.createEntityManager(new TransactionRunner(client));
  managers.set(client, manager);
  return manager;
}

/** For queries that another connection runs, or that become a part of a write. */
export const unbound = tables.manager;

/** The SQL of a query. */
export function statementOf(query: QueryBuilder<ObjectLiteral>): Statement {
  const [text, values] = query.getQueryAndParameters();
  return { text, values };
}

// Queries that change rows, as far as the transaction that runs them sees these rows. TypeORM begins each of them with two or
// three calls.

export const inserting = <Row extends ObjectLiteral>(
  tables: EntityManager,
  table: EntityTarget<Row>,
  row: QueryDeepPartialEntity<Row>,
): InsertQueryBuilder<Row> => tables.createQueryBuilder().insert().into(table).values(row);

/** Sets these values, in all rows unless a condition follows. */
export const updating = <Row extends ObjectLiteral>(
  tables: EntityManager,
  table: EntityTarget<Row>,
  values: QueryDeepPartialEntity<Row>,
): UpdateQueryBuilder<Row> => tables.createQueryBuilder().update(table).set(values);

/** Deletes the rows that match. */
export const deleting = <Row extends ObjectLiteral>(
  tables: EntityManager,
  table: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
): DeleteQueryBuilder<Row> => tables.createQueryBuilder().delete().from(table).where(where);

/** The statement of `deleting`, to be run by a transaction of another package. */
export const deletionOf = <Row extends ObjectLiteral>(
  table: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
): Statement => statementOf(deleting(unbound, table, where));

/** The conditions that a time is in the future and in the past, by the clock of the database. */
export const inFuture = Raw<never>((column) => `${column} > now()`);
export const inPast = Raw<never>((column) => `${column} <= now()`);

/** When a row expires, in seconds since the epoch, for RETURNING. */
export const UNTIL = 'floor(extract(epoch FROM expires_at))::float8 AS until';

/** The time of the transaction, with the precision of JSON. */
export const nowInMilliseconds = (): string => `date_trunc('milliseconds', now())`;

/** DDL of the private tables, without their policies and grants. */
export async function tableDdl(): Promise<string[]> {
  const runner = new TransactionRunner();
  runner.enableSqlMemory();
  const { driver } = tables;
  const drafts = privateTables.map((entity) => {
    const metadata = tables.getMetadata(entity);
    const keys = metadata.foreignKeys.map((key) => TableForeignKey.create(key, driver));
    return { table: Table.create(metadata, driver), keys };
  });
  for (const { table } of drafts) await runner.createTable(table);
  for (const { table, keys } of drafts) await runner.createForeignKeys(table, keys);
  return runner.getMemorySql().upQueries.map(({ query }) => query.trim());
}

/** The rows that a statement has changed, as its RETURNING names their columns. */
export const rowsOf = async <Row>(query: { execute(): Promise<{ raw: unknown }> }): Promise<Row[]> =>
  (await query.execute()).raw as Row[];

/** The connection of the transaction. */
export const clientOf = async ({ queryRunner }: EntityManager): Promise<ClientBase> =>
  (await queryRunner?.connect()) as ClientBase;
