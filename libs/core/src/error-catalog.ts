// Every error code that this product raises. The list in the docs, the error responses of OpenAPI and `problemFor` read it.
// A spec fails for a code without a row, a row that no code raises, and a status that differs from its row.

import { standardErrors, type ErrorRow } from './standard-error-catalog.js';

export const errorCatalog = {
  ...standardErrors,
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
    occurs: '`If-Match`, `updated_at` in bodies; 400 if `If-Match` cannot be checked',
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
  PM012: {
    status: 409,
    message: 'the practice has too many of these',
    occurs: 'open invitations, webhooks, OAuth clients',
  },
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
  PM020: {
    status: 409,
    message: 'the note is signed, so it cannot be changed or deleted',
    hint: 'Write an addendum in session_addenda, or void the note with rpc/void_note.',
    occurs: 'every write of a signed `sessions` record',
  },
  PM021: {
    status: 409,
    message: 'a finalized invoice cannot change, and its finalization cannot be undone',
    hint: 'Issue a credit note, or set status to void.',
    occurs: 'invoices, their items, credit notes, undo; `currency` of `practice_settings`',
  },
  PM022: {
    status: 409,
    message: 'the amount is more than what is left',
    occurs: 'payments, allocations, credit notes',
  },
  PM023: {
    status: 409,
    message: 'the appointment is on another invoice',
    occurs: '`invoice_items`',
  },
  PM024: {
    status: 400,
    message: 'the cursor cannot be used here',
    hint: 'Begin again with Prefer: pages=cursor, and follow the Link header of each page.',
    occurs: '`after`',
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
  PM415: { status: 415, message: 'The body has a Content-Encoding, such as gzip', occurs: 'all paths' },
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

/** The statuses of a row, the most common one first. */
export const statusesOf = ({ status }: ErrorRow): readonly [number, ...number[]] =>
  typeof status === 'number' ? [status] : status;

/**
 * The catalogue in Markdown, as a list for each status, with further statuses after the code. Only OpenAPI describes where each code
 * occurs. `npm run generate` writes the list to the docs.
 */
export function errorsList(): string {
  const groups = new Map<number, string[]>();
  for (const [code, row] of errorRows) {
    const [first, ...others] = statusesOf(row);
    const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
    groups.set(first, [...(groups.get(first) ?? []), `- \`${code}\`${also}: ${row.message}`]);
  }
  return [...groups]
    .toSorted(([one], [other]) => one - other)
    .map(([status, items]) => `### ${status}\n\n${items.join('\n')}`)
    .join('\n\n');
}
