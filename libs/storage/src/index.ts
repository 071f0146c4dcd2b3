export { CrossTenantConnection } from './connections/cross-tenant-connection.js';
export {
  asProblem,
  diskFull,
  ending,
  isCancelled,
  isDatabaseUnavailable,
  isDiskFull,
  notRecorded,
} from './connections/database-errors.js';
export { openPool } from './connections/pool.js';
export { limitTime, setZone, unlimitTime } from './connections/session-settings.js';
export { timed } from './connections/transaction-metrics.js';
export { Transaction, inTransaction } from './connections/transaction.js';
export type { Head, Scope } from './connections/transaction.js';
export { AtOnce } from './reads/at-once.js';
export { TenantDatabase, connectionsOf } from './reads/tenant-database.js';
export { openDataSource } from './schema/data-source.js';
export { findDrift, migrationText } from './schema/drift.js';
export { allMigrations, migrationClass, migrationFile, migrationsOf, textsOf } from './schema/migrations.js';
export { readTableDdl, serviceDdl, statementsOf } from './schema/service-ddl.js';
export type { SchemaParts } from './schema/service-ddl.js';
export { addAccesses } from './tables/access-log-table.js';
export type { AccessRow } from './tables/access-log-table.js';
export { appendEntries, entryRows, ledgersOf } from './tables/ledger-table.js';
export type { BookedEvent } from './tables/ledger-table.js';
export { followedOf, idempotencyOf, marksOf, mirrorOf } from './tables/shared-tables.js';
export { GIVEN_UP, MADE_BY, OLD } from './tables/shared-tables.js';
export type { Mirrored } from './tables/shared-tables.js';
export {
  deleteRows,
  readRows,
  searchRows,
  selectReferenced,
  selectRows,
  tableOf,
  upsertRows,
} from './tables/tables.js';
export type { Versioned } from './tables/tables.js';
export { tablesOf, versionBytes, versionsTableOf } from './tables/versions.js';
export { measurePools, measureReplica, measureRequests } from './upkeep/measure-process.js';
export { outboxState } from './upkeep/outbox.js';
export { Recurring } from './upkeep/recurring.js';
export { SWEEPS, SWEPT_AT_ONCE, Sweeper } from './upkeep/sweeper.js';
export type { Sweep } from './upkeep/sweeper.js';
export { watchOutbox } from './upkeep/watch-outbox.js';
