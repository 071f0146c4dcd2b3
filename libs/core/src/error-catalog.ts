// Every error code that this product raises, once. The table of docs, the error responses of OpenAPI and `problemOf` read it.
// A spec refuses a code that has no row, a row that nothing raises, and a status that differs from its row.

/** What a code means. */
export interface ErrorRow {
  /** Its HTTP status. A list begins with the usual one; a place that needs another one names it. */
  readonly status: number | readonly [number, ...number[]];
  /** The message, unless the place that raises the code has a more precise one. */
  readonly message: string;
  /** The hint, unless the place that raises the code has its own. */
  readonly hint?: string;
  /** Where it occurs, in Markdown. */
  readonly occurs: string;
}

export const errorCatalog = {
  // PostgREST's: requests, schema, tokens.
  PGRST100: { status: 400, message: 'failed to parse a query parameter', occurs: 'reads, filters of writes' },
  PGRST101: { status: 405, message: 'the function does not support the method', occurs: 'functions' },
  PGRST102: {
    status: 400,
    message: 'the body is malformed or has an unsupported type',
    occurs: 'writes, functions',
  },
  PGRST103: { status: 416, message: 'Requested range not satisfiable', occurs: '`offset`, `Range`' },
  PGRST105: { status: 405, message: 'a PUT must filter by id only', occurs: 'PUT' },
  PGRST106: {
    status: 406,
    message: 'the schema is not public',
    occurs: '`Accept-Profile`, `Content-Profile`',
  },
  PGRST107: { status: 406, message: 'the response format is not supported', occurs: '`Accept`' },
  PGRST108: {
    status: 400,
    message: 'select does not embed the relation',
    occurs: 'filters and orders of embedded records',
  },
  PGRST114: { status: 400, message: 'limit and offset are not allowed for PUT', occurs: 'PUT' },
  PGRST115: { status: 400, message: 'the id in the body is not the id in the URL', occurs: 'PUT' },
  PGRST116: {
    status: 406,
    message: 'the request must match exactly one record',
    occurs: '`Accept: application/vnd.pgrst.object+json`',
  },
  PGRST117: {
    status: 405,
    message: 'the resource does not support the method',
    occurs: 'all paths; see `Allow`',
  },
  PGRST118: { status: 400, message: 'records cannot be ordered by a to-many relation', occurs: '`order`' },
  PGRST122: { status: 400, message: 'a preference is unknown', occurs: '`Prefer: handling=strict`' },
  PGRST124: {
    status: 400,
    message: 'more rows matched than max-affected allows',
    occurs: '`Prefer: max-affected`',
  },
  PGRST125: { status: 404, message: 'Invalid path specified in request URL', occurs: 'all paths' },
  PGRST127: {
    status: 400,
    message: 'Feature not implemented',
    occurs: 'valid requests that are not supported yet',
  },
  PGRST200: { status: 400, message: 'the relation does not exist', occurs: '`select`' },
  PGRST201: { status: 300, message: 'several relations match', occurs: '`select`; `details` lists them' },
  PGRST202: { status: 404, message: 'no function has this name and these arguments', occurs: 'functions' },
  PGRST204: { status: 400, message: 'the column does not exist', occurs: 'bodies' },
  PGRST205: { status: 404, message: 'the resource does not exist', occurs: 'all paths' },
  PGRST301: { status: 401, message: 'the token is invalid', occurs: 'authentication' },
  PGRST302: {
    status: 401,
    message: 'Anonymous access is disabled',
    occurs: 'authentication, without a token',
  },
  PGRST303: { status: 401, message: 'the token is expired or revoked', occurs: 'authentication' },
  // Supabase Auth's, of requests for records.
  insufficient_aal: {
    status: 403,
    message: 'AAL2 required: verify a second factor in this session first',
    occurs: 'all paths, where the practice or the member requires a second factor',
  },
  // Postgres' SQLSTATEs.
  '0A000': { status: 400, message: 'changes of the resource cannot be undone', occurs: 'undo' },
  '21000': {
    status: 400,
    message: 'a PATCH or DELETE has no filter, or an upsert has a record twice',
    occurs: 'writes',
  },
  '22001': { status: 400, message: 'the value is too long', occurs: 'bodies' },
  '22003': { status: 400, message: 'the number is out of range', occurs: 'values' },
  '22004': { status: 400, message: 'an argument must not be null', occurs: 'functions' },
  '22007': { status: 400, message: 'the date or time is malformed', occurs: 'values' },
  '22008': { status: 400, message: 'the date or time is out of range', occurs: 'values' },
  '22009': { status: 400, message: 'the time zone is out of range', occurs: 'values' },
  '22021': { status: 400, message: 'the text is not valid UTF-8', occurs: 'URLs' },
  '22023': {
    status: 400,
    message: 'the value breaks a rule',
    occurs: 'arguments of functions, `rrule`, `event_types`',
  },
  '2201B': {
    status: 400,
    message: 'the regular expression is invalid or too complex',
    occurs: '`match`, `imatch`',
  },
  '22P02': { status: 400, message: 'the value is malformed', occurs: 'values' },
  '22P05': { status: 400, message: 'the text has characters that cannot be stored', occurs: 'values' },
  '23502': { status: 400, message: 'a required column is missing', occurs: 'writes' },
  '23503': {
    status: 409,
    message: 'the referenced record does not exist, or the record is still referenced',
    occurs: 'writes',
  },
  '23505': { status: 409, message: 'the record exists already', occurs: 'writes' },
  '23514': { status: 400, message: 'a check is violated', occurs: 'writes' },
  '25006': { status: 405, message: 'the function writes and needs POST', occurs: 'functions' },
  '42501': {
    status: 403,
    message: 'the role or the token lacks a right, or the record belongs to another practice',
    occurs: 'all paths',
  },
  '42703': { status: 400, message: 'the column does not exist', occurs: 'reads, filters of writes' },
  '42704': { status: 400, message: 'the type does not exist', occurs: 'casts' },
  '42803': {
    status: 400,
    message: 'the column must be grouped or aggregated',
    occurs: '`order` with aggregates',
  },
  '42804': { status: 400, message: 'the column has another type', occurs: '`is`' },
  '42883': {
    status: 404,
    message: 'the type of the column does not support the operator',
    occurs: 'filters',
  },
  '428C9': {
    status: 400,
    message: 'the column cannot be changed',
    occurs: 'writes of `id`, `created_at` and derived columns',
  },
  '42P10': { status: 400, message: 'no unique rule has these columns', occurs: '`on_conflict`' },
  '57014': { status: 504, message: 'canceling statement due to statement timeout', occurs: 'reads' },
  // This product's.
  PM001: {
    status: 409,
    message: 'status transition not allowed',
    occurs: 'appointments, series, memberships, webhooks',
  },
  PM002: {
    status: 409,
    message: 'the time is already booked',
    hint: 'Choose another time or practitioner, or set allow_overlap on one of the two appointments.',
    occurs: 'appointments, series',
  },
  PM003: {
    status: 409,
    message: 'business hours overlap',
    hint: 'Two spans of one day may touch but not overlap: change the other one first.',
    occurs: '`business_hours`',
  },
  PM004: { status: 429, message: 'Too many requests', occurs: 'all paths; see [limits](#limits)' },
  PM005: {
    status: 409,
    message: 'the Idempotency-Key was used for another request',
    hint: 'Use a new key for a new request.',
    occurs: '`Idempotency-Key`, also while the first request runs',
  },
  PM006: {
    status: [412, 400],
    message: 'the record has changed since it was read',
    occurs: '`If-Match`, `updated_at` in filters; 400 if `If-Match` cannot be checked',
  },
  PM007: { status: 409, message: 'the record has been changed since the change to undo', occurs: 'undo' },
  PM008: {
    status: 409,
    message: 'the booking rules of the practice do not allow this time',
    hint: 'Choose a time that rpc/free_slots offers, or set allow_overlap.',
    occurs: 'appointments',
  },
  PM009: {
    status: 409,
    message: 'the last owner cannot leave the practice or lose the role',
    hint: 'Make another member an owner first.',
    occurs: 'memberships, `rpc/leave_practice`',
  },
  PM010: {
    status: 400,
    message: 'the URL cannot be used for a webhook',
    hint: 'Use https and a public host name.',
    occurs: 'webhooks',
  },
  PM011: {
    status: 404,
    message: 'this API does not offer this part of Supabase',
    occurs: 'paths such as `/storage/v1/`',
  },
  PM012: { status: 409, message: 'the practice has too many of these', occurs: 'open invitations, webhooks' },
  PM013: {
    status: 404,
    message: 'the invitation does not exist, has expired or has been accepted already',
    hint: 'Ask an owner of the practice to invite you again.',
    occurs: '`rpc/accept_invitation`',
  },
  PM014: {
    status: 409,
    message: 'an export of the practice is running',
    hint: 'Follow it in exports?status=eq.running, and call again when it has ended.',
    occurs: '`rpc/export_practice`',
  },
  PM015: { status: 400, message: 'as_of names no past state that can be read here', occurs: '`as_of`' },
  PM016: { status: 409, message: 'the client was erased', occurs: 'writes and undo about an erased client' },
  PM017: {
    status: 409,
    message: 'the practice is closed, so it is read-only',
    occurs: 'writes; `details` has the time of the erasure',
  },
  PM018: {
    status: 409,
    message: 'the member has too many calendar links',
    occurs: '`rpc/create_calendar_link`',
  },
  PM400: { status: [400, 426], message: 'the request is malformed or too complex', occurs: 'all paths' },
  PM401: { status: 401, message: 'the API key is missing, wrong or sent twice', occurs: 'all paths' },
  PM404: {
    status: 404,
    message: 'the record, change or link does not exist',
    occurs: 'functions, links, `Prefer: min-affected`',
  },
  PM408: { status: 408, message: 'The request took too long to arrive', occurs: 'all paths' },
  PM413: {
    status: 413,
    message: 'the body, or the number of records, is too large',
    occurs: 'writes, undo, broadcasts',
  },
  PM414: { status: 414, message: 'The URL is longer than 16 KiB', occurs: 'all paths' },
  PM417: { status: 417, message: 'Only the expectation 100-continue can be met', occurs: 'all paths' },
  PM431: { status: 431, message: 'The headers are too large', occurs: 'all paths' },
  PM503: { status: 503, message: 'a service or its database is unavailable', occurs: 'all paths' },
  PM504: {
    status: 504,
    message: 'The outcome of this write is unknown. Check whether it was carried out before you repeat it.',
    hint: 'Send an Idempotency-Key with a write, so that it can be repeated safely.',
    occurs: 'writes without `Idempotency-Key`',
  },
  PM507: {
    status: 507,
    message: 'the storage of the practice is used up, or the disk of the server is full',
    occurs: 'writes; records can be read',
  },
  XX000: { status: 500, message: 'Internal error', occurs: 'all paths' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof errorCatalog;

/** The statuses that a code may have. */
export type StatusOf<Code extends ErrorCode> = (typeof errorCatalog)[Code]['status'] extends infer Status
  ? Status extends readonly (infer Each)[]
    ? Each
    : Status
  : never;

/** Every code with its row: PostgREST's, Postgres', Supabase Auth's, then this product's. */
export const errorRows: readonly (readonly [ErrorCode, ErrorRow])[] = (
  Object.entries(errorCatalog) as (readonly [ErrorCode, ErrorRow])[]
).toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1));

function rank(code: string): number {
  const families = [/^PGRST/, /^[0-9]/, /^[a-z]/, /^PM/];
  const index = families.findIndex((family) => family.test(code));
  return index === -1 ? families.length : index;
}

/** The statuses of a row, the usual one first. */
export const statusesOf = ({ status }: ErrorRow): readonly [number, ...number[]] =>
  typeof status === 'number' ? [status] : status;

/** The catalogue as the table of docs; OpenAPI has where each code occurs. `npm run generate` writes it. */
export const errorsTable = (): string =>
  [
    '| status and code | meaning |',
    '| --- | --- |',
    ...errorRows.map(([code, row]) => `| ${statusesOf(row).join(', ')} \`${code}\` | ${row.message} |`),
  ].join('\n');
