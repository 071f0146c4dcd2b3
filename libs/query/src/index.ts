export { asGet, checkProfile, isRead, parseRequest, QUERY } from './parse/request.js';
export { requestInSteps, restHeaders } from './parse/request.js';
export type { Method, ParsedRequest, RestHeaders, RestRequest } from './parse/request.js';
export { TIMINGS } from './parse/preferences.js';
export { parseTest } from './parse/filter.js';
export { parseCall } from './parse/call.js';
export { inOperation, ofOperation, operationsOf, requestOfOperation } from './batch/operations.js';
export type { BatchOperation } from './batch/operations.js';
export { nestedLevels, type NestedLevel } from './batch/nested.js';
export { aboutReference, referredIn, withReferences, type BatchResult } from './batch/references.js';
export { functionNotFound, methodsOfFunction, type Functions } from './parse/call-problems.js';
export { notAcceptable, negotiated } from './parse/media.js';
export { tableNotFound, type PlanContext } from './plan/context.js';
export { planRead, namesOneRecord, requiredId, type ReadPlan } from './plan/read.js';
export type { Given } from './plan/read-shape.js';
export { changesNothing, planWrite } from './plan/write.js';
export type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from './plan/write.js';
export { idIn, type UpsertPlan } from './plan/upsert.js';
export type { WriteTerms } from './plan/terms.js';
export type { SqlQuery } from './compile/scope.js';
export { SEARCH, type Accessed } from './compile/accessed.js';
export { instantFunctions } from './compile/instant-functions.js';
export { compileRead } from './compile/read.js';
export type { PageStart } from './plan/paging.js';
export { PreparedRead, PreparedCall } from './compile/prepared-read.js';
export type { CallPlan } from './plan/call.js';
export { compileConcerned, compileReturning, compileTargets } from './compile/write.js';
export { readResponse, callResponse, voidResponse } from './response/read.js';
export type { CursorPage, ReadResult } from './response/read.js';
export { checkAffected, checkReturned, filtersReturned, writeResponse } from './response/write.js';
export { withFilterNamed } from './response/filter-problem.js';
export { problemOfDatabase, type DatabaseError } from './response/database.js';
export { hasOperator, isKeywords, operators, type Operand, type Operator } from './operators.js';
export { limits } from './limits.js';
export { lookupOf, noColumnToWrite } from './plan/columns.js';
export { tooManyRows } from './problems.js';
export { checkRight, seesAll } from './plan/permission.js';
export { entityTag, matchesVersion, contentRange, notOneRow } from './response/response.js';
export type { RestResponse } from './response/response.js';
export { showsOneTimeSecret, isStoredRecord } from './plan/select.js';
export { ONE_TIME_SECRETS_SETTING } from './plan/detached.js';
export type { Composition, KeysStep, PieceStep, RowsStep } from './compose/composition.js';
export { isCrossService, embeddedResources } from './plan/relation.js';
export { mergeBody, mergeRow, type PieceRow, type MergedRow } from './compose/merge.js';
export { keysBelow, PreparedComposition } from './compose/prepared-composition.js';
export { PreparedSubquery } from './compile/prepared-subquery.js';
export { packedCount, type EmbedPath, type SemiJoinKeys } from './plan/semi-join-keys.js';
export {
  readFromWire,
  readToWire,
  rowsFromWire,
  rowsToWire,
  rowToWire,
  type WireQuestion,
} from './wire/wire.js';
export type * from './wire/messages.js';
export { appliedPreferences, checkStrictness } from './plan/applied.js';
export { recordPath } from './response/location.js';
