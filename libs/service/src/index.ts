export { AccessLog } from './access/access-log.js';
export * from './write/effects.js';
export { defineService } from './define-service.js';
export { Handles } from './functions/function-handler.js';
export type {
  DecidingCall,
  DecidingHandler,
  FunctionCall,
  FunctionDecision,
  FunctionHandler,
  WritingCall,
} from './functions/function-handler.js';
export { erasePersonal, eraseStatements } from './personal/erase.js';
export { ErasureLedger } from './personal/erasure-ledger.js';
export { ErasedParts } from './personal/erased-parts.js';
export type { Erasing } from './personal/erase.js';
export * from './process/migrate.js';
export * from './process/seal-columns.js';
export { Recurring } from './process/recurring.js';
export * from './process/run-service.js';
export * from './process/serve.js';
export * from './process/service.config.js';
export * from './commands/command.config.js';
export * from './service-parts.js';
export * from './service.module.js';
export { findDrift } from './schema/drift.js';
export { readMigrations, textsOf } from './schema/migrations.js';
export type { SchemaParts } from './schema/service-ddl.js';
export { replyInSpan } from './metrics/reply-span.js';
export { observeReply } from './metrics/reply-metrics.js';
export { asProblem, diskFull, ending, isDatabaseUnavailable } from './storage/database-errors.js';
export { CrossTenantConnection } from './storage/cross-tenant-connection.js';
export { Sweeper, SWEPT_AT_ONCE } from './storage/sweeper.js';
export type { Sweep } from './storage/sweeper.js';
export { timed } from './storage/transaction-metrics.js';
export { openPool } from './storage/pool.js';
export { TenantDatabase } from './storage/tenant-database.js';
export { closed, requireOpen } from './write/closed-practice.js';
export { decideEntailed } from './write/entailed.js';
export { recordsIn } from './write/group/questions.js';
export { changeOf } from './write/intent.js';
export { checkVersion } from './write/precondition.js';
export { checkRights } from './write/rights.js';
export { tableOf } from './storage/tables.js';
export type { Versioned } from './storage/tables.js';
export { giveOnce } from './write/give-once.js';
export { forgetAnswers } from './personal/forget-answers.js';
export * from './write/record-transactions.js';
export { Read } from './read/read.query.js';
export * from './rebuild/rebuild.js';
export * from './rebuild/run-rebuild.js';
export * from './republish/republish.js';
export * from './republish/run-republish.js';
export { verifyLogs } from './verify/verify-logs.js';
export { rebuildMirror } from './rebuild/mirror/rebuild-mirror.js';
