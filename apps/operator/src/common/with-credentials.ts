/** The same URL with the credentials of another user. */
export function withCredentials(url: string, username: string, password: string): string {
  const other = new URL(url);
  other.username = username;
  other.password = password;
  return other.href;
}
