import type { Accessed, RestResponse } from '@practice/query';

const NONE: Accessed = { count: 0, ids: [] };

/**
 * The records that the response of a write shows, unless their access is recorded. A response that was kept under an
 * Idempotency-Key has only a body.
 */
export function shownRecords({ status, body, unrecorded }: RestResponse, resource: string): Accessed {
  if (status >= 300 || body === null || body === '') return NONE;
  if (unrecorded !== undefined) return unrecorded.get(resource) ?? NONE;
  const rows = rowsIn(body);
  if (rows === undefined) return { count: body.split('\n').length - 1, ids: null };
  const ids = rows.map((row) => (row as { id?: unknown } | null)?.id);
  return { count: rows.length, ids: ids.every((id) => typeof id === 'string') ? ids : null };
}

/**
 * The same for the response of a call, which may show records of several resources: rows of a kept response count unless they name
 * another resource.
 */
export function shownByCall(response: RestResponse, resource: string): Accessed {
  const { body, unrecorded } = response;
  if (body === null || unrecorded !== undefined) return shownRecords(response, resource);
  const rows = rowsIn(body)?.filter((row) => {
    const named = (row as { resource?: unknown } | null)?.resource;
    return named === undefined || named === resource;
  });
  return rows === undefined
    ? shownRecords(response, resource)
    : shownRecords({ ...response, body: JSON.stringify(rows) }, resource);
}

/** The rows of a JSON body; undefined for CSV. */
function rowsIn(body: string): readonly unknown[] | undefined {
  try {
    const json: unknown = JSON.parse(body);
    return Array.isArray(json) ? json : [json];
  } catch {
    return undefined;
  }
}
