/** A query of supabase-js that returns rows. */
type Query<Row> = PromiseLike<{ readonly data: Row[] | null; readonly error: unknown }>;

/** The private parts of a query of supabase-js. */
interface Sending {
  readonly url: URL;
  readonly headers: Headers;
  fetch: typeof fetch;
}

/**
 * The pages of a query of supabase-js, one after the other, by cursor. No row is returned twice or left out while others write.
 * `for await (const clients of pagesOf(supabase.from('clients').select('id,name').order('name').limit(500)))`.
 * @throws {Error} when a page is refused; its `cause` is the error that supabase-js returns
 */
export async function* pagesOf<Row>(query: Query<Row>): AsyncGenerator<Row[], void> {
  const sending = query as unknown as Sending;
  const send = sending.fetch;
  let next: string | null = '';
  sending.headers.append('Prefer', 'pages=cursor');
  sending.fetch = async (input, init) => {
    const response = await send(input, init);
    const link = /<\?([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '');
    next = new URLSearchParams(link?.[1]).get('after');
    return response;
  };
  while (next !== null) {
    const { data, error } = await query;
    if (error !== null) throw Object.assign(new Error('a page was refused'), { cause: error });
    yield data ?? [];
    if (next === null) return;
    sending.url.searchParams.delete('offset');
    sending.url.searchParams.set('after', next);
  }
}
