/** Headers of a response that supabase-js does not return. */
export interface AnswerHeaders {
  /** The id of the change that the write made, for `rpc/undo`; null if nothing changed. Ids of several services are separated by `, `. */
  readonly changeId: string | null;
  /** The id of the request, for questions to the operator; null if the API was not reached. */
  readonly requestId: string | null;
}

/** A request of supabase-js that has not been sent yet. */
type Call<Result> = PromiseLike<Result> & { setHeader(name: string, value: string): unknown };

/**
 * A `fetch` for supabase-js, and a function that sends a request and adds headers of its response to the result:
 * `createClient<Database>(url, key, { global: { fetch: headers.fetch } })`, then
 * `const { data, error, changeId } = await headers.of(supabase.from('clients').insert(client))`.
 * @param send the `fetch` that sends the requests; the global one if omitted
 */
export function answerHeaders(send: typeof fetch = fetch): {
  readonly fetch: typeof fetch;
  of<Result>(call: Call<Result>): Promise<Result & AnswerHeaders>;
} {
  const awaited = new Map<string, AnswerHeaders>();
  return {
    async fetch(input, init) {
      const response = await send(input, init);
      const { headers } = response;
      const id = new Headers(init?.headers).get('X-Request-Id');
      if (id !== null && awaited.has(id))
        awaited.set(id, { changeId: headers.get('Change-Id'), requestId: headers.get('X-Request-Id') });
      return response;
    },
    async of(call) {
      const id = crypto.randomUUID();
      awaited.set(id, { changeId: null, requestId: null });
      call.setHeader('X-Request-Id', id);
      try {
        const result = await call;
        return { ...result, ...(awaited.get(id) as AnswerHeaders) };
      } finally {
        awaited.delete(id);
      }
    },
  };
}
