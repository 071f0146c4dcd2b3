/** An answer as it goes out over HTTP, whatever carries it there. */
export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none, and no Content-Type either. */
  readonly body: string | null;
}

/** `0-24/100`: the rows answered and how many there are; `*` where there are none, or none were counted. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const range = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}

/** PGRST116: one object was asked for. */
export const notOneRow = (rows: number) => ({
  status: 406,
  code: 'PGRST116',
  message: 'Cannot coerce the result to a single JSON object',
  details: `The result contains ${rows} rows`,
});

/** Preference-Applied, where there is something in it. */
export const appliedHeader = (applied: string | null): Record<string, string> =>
  applied === null ? {} : { 'Preference-Applied': applied };
