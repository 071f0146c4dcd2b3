export {
  mirrored,
  moveRecords,
  narrowed,
  readEntries,
  readMatch,
  readRecords,
  selectEntries,
  selectMatches,
  selectRecords,
} from './mirrored/mirror-table.js';
export type {
  MirrorAnswer,
  MirrorEntry,
  MirrorKey,
  MirrorMatch,
  MirrorMove,
} from './mirrored/mirror-table.js';
export {
  checkReferences,
  referenceLookups,
  referringServices,
  relationsFrom,
} from './references/check-references.js';
export { DeletionAttempt, DeletionBarrier } from './references/deletion-barrier.js';
export type { DeletionAnswer, DeletionQuestion } from './references/deletion-barrier.js';
export { keyOf, markForDeletion, markedKeys, removeMarks, storeMarks } from './references/deletion-marks.js';
export type { Deletion } from './references/deletion-marks.js';
export { FetchedRecords } from './references/fetched-records.js';
export { LoadedContext, mergedLookups } from './references/lookup-context.js';
export { LookUpRecordsHandler } from './references/look-up-records.handler.js';
export { LookupController } from './references/lookup.controller.js';
export { RecordOwners, beingDeleted } from './references/record-owners.js';
export type { Caller } from './references/record-owners.js';
