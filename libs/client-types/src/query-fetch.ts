/** The length of a URL in characters above which servers and proxies may refuse it. */
const LONGEST_URL = 8_000;

/**
 * A `fetch` for supabase-js that sends reads with a long URL as QUERY, with the parameters in the body:
 * `createClient<Database>(url, key, { global: { fetch: queryFetch() } })`.
 * @param send the `fetch` that sends the requests; the global one if omitted
 */
export const queryFetch =
  (send: typeof fetch = fetch): typeof fetch =>
  async (input, init = {}) => {
    const url = input instanceof Request ? '' : String(input);
    const start = url.indexOf('?');
    const { method = 'GET' } = init;
    if (url.length <= LONGEST_URL || start < 0 || !['GET', 'HEAD'].includes(method)) return send(input, init);
    const headers = new Headers(init.headers);
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
    const [path, body] = [url.slice(0, start), url.slice(start + 1)];
    const response = await send(path, { ...init, method: 'QUERY', headers, body });
    if (method === 'GET' || !response.ok) return response;
    await response.body?.cancel();
    return new Response(null, response);
  };
