type Headers = Readonly<Record<string, string>>;

/** A call to the product that must succeed; its JSON. */
export async function post<T>(url: string, headers: Headers, body: unknown): Promise<T> {
  return JSON.parse(await send(url, headers, body)) as T;
}

/** The same, where the answer does not matter; its text. */
export async function send(url: string, headers: Headers, body: unknown): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`POST ${new URL(url).pathname} was answered ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}
