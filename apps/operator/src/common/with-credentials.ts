/** The same URL, logging in as someone else. */
export function withCredentials(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}
