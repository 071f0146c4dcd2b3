// The error codes of PostgREST, Postgres and Supabase Auth that this product raises.

/** The meaning of a code. */
export interface ErrorRow {
  /** The HTTP status of the code. A list begins with the default; code that raises another status names it. */
  readonly status: number | readonly [number, ...number[]];
  /** The message, unless the code that raises the problem has a more precise one. */
  readonly message: string;
  /** The hint, unless the code that raises the problem has its own. */
  readonly hint?: string;
  /** Where the code occurs, in Markdown. */
  readonly occurs: string;
}

export const standardErrors = {
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
  XX000: { status: 500, message: 'Internal error', occurs: 'all paths' },
} as const satisfies Readonly<Record<string, ErrorRow>>;
