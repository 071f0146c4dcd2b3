/** The hosts that mean the user's own machine (RFC 8252, 7.3). */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether a URI is on the machine of the user. Its port is ignored. */
export function isLoopbackUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && LOOPBACK.has(hostname);
}
