export { Batch } from './batch/batch.command.js';
export { BatchHandler } from './batch/batch.handler.js';
export { TakeBack } from './batch/take-back.command.js';
export { TakeBackHandler } from './batch/take-back.handler.js';
export { AgreeToDeletionsHandler } from './deletions/agree-to-deletions.handler.js';
export { DeletionController } from './deletions/deletion.controller.js';
export { ChangeRecordsHandler } from './engine/change-records.handler.js';
export { closed, requireOpen } from './engine/closed-practice.js';
export { Committed } from './engine/committed.js';
export { confirmDeletions, removedMarks } from './engine/confirm-deletions.js';
export { Deciders } from './engine/deciders.js';
export { Decision } from './engine/decision.js';
export { Effects } from './engine/effects.js';
export type {
  Begin,
  BegunEffect,
  EffectOrigin,
  FollowingRecord,
  RecordChange,
  WriteEffect,
} from './engine/effects.js';
export { decideDependents } from './engine/dependents.js';
export { showOneTimeSecrets } from './engine/one-time-secrets.js';
export type { Resumable } from './engine/group/resumable.js';
export type { Step } from './engine/group/attempt.js';
export { PracticeView } from './engine/group/practice-view.js';
export type { PracticeLog } from './engine/group/resumable.js';
export { mirrorEntries, mirrorMatches, recordLoads, records } from './engine/group/questions.js';
export { WriteQueue } from './engine/group/write-queue.js';
export { expiredIdempotency } from './engine/idempotency.js';
export { InFlightDuplicates } from './engine/in-flight-duplicates.js';
export { changeOf } from './engine/intent.js';
export type { Intent } from './engine/intent.js';
export { policyMetadata } from './engine/metadata.js';
export { checkVersion, refuseIfMatch } from './engine/precondition.js';
export { RecordTransactions } from './engine/record-transactions.js';
export type { RecordTransaction } from './engine/record-transactions.js';
export { Refusals } from './engine/refusals.js';
export { checkRights } from './engine/rights.js';
export { UnitsOfWork } from './engine/unit-of-work.js';
export type { AttemptResult, RemoteKnowledge } from './engine/attempt-result.js';
export { Write } from './engine/write.command.js';
export type { Origin } from './engine/write.command.js';
export { WriteHandler } from './engine/write.handler.js';
export { CallFunction, ReadFunction } from './functions/call-function.command.js';
export type { Called } from './functions/call-function.command.js';
export { CallFunctionHandler } from './functions/call-function.handler.js';
export { Handles, handledBy } from './functions/function-handler.js';
export { handlerIn } from './functions/handler-in.js';
export type {
  DecidingCall,
  DecidingHandler,
  FunctionCall,
  FunctionDecision,
  FunctionHandler,
  WritingCall,
} from './functions/function-handler.js';
export { changing, namedRecord, unknownRecord } from './functions/changing.js';
export { Functions } from './functions/functions.js';
export { RecentSignIns } from './functions/recent-sign-ins.js';
export { ReadFunctionHandler } from './functions/read-function.handler.js';
export { SearchHandler } from './search/search.handler.js';
export { TimelineHandler } from './timeline/timeline.handler.js';
export { UndoHandler } from './undo/undo.handler.js';
