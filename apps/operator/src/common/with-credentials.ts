/** The same URL, logging in as someone else. */
export const withCredentials = (url: string, username: string, password: string): string =>
  Object.assign(new URL(url), { username, password }).href;
