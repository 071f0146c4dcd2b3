// The files of the console, as a browser gets them.

import { expect, it } from '@jest/globals';
import { stack } from '@practice/testing';

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stack().baseUrl}/console${path}`, { headers, redirect: 'manual' });

it('the console is a page that is never cached and runs files of this server only', async () => {
  const page = await get('/');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  const html = await page.text();
  expect(html).toContain(`content="${stack().apikey}"`);
  expect(html).not.toMatch(/<script>|<style>|style=|https?:\/\//);
});

it('the files have names with a hash of their content, and are compressed and cached for a year', async () => {
  const html = await (await get('/')).text();
  const files = [...html.matchAll(/(?:src|href)="\.(\/[\w-]+\.(?:js|css|svg))"/g)].map(
    ([, file]) => file ?? '',
  );
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const file of files) {
    const small = await get(file, { 'accept-encoding': 'br' });
    const plain = await get(file, { 'accept-encoding': 'identity' });
    expect([file, small.status, small.headers.get('content-encoding')]).toEqual([file, 200, 'br']);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await small.text()).toBe(await plain.text());
    expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(small.headers.get('vary')).toContain('Accept-Encoding');
    expect(small.headers.get('content-type')).toMatch(
      /^(text\/javascript|text\/css|image\/svg\+xml); charset=utf-8$/,
    );
  }
});

it('the address without a slash redirects, and there are no other files', async () => {
  const redirect = await get('');
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'console/']);
  for (const file of ['/index.html', '/none-00000000.js', '/..%2fpackage.json', '/index.js.br'])
    expect([file, (await get(file)).status]).toEqual([file, 404]);
});
