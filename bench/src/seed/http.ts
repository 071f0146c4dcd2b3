/** A call to the product that must succeed; its JSON. */
export async function post<T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`POST ${new URL(url).pathname} was answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
