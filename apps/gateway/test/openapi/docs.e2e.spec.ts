import { describe, expect, it } from '@jest/globals';
import { stack } from '@practice/testing';

const { baseUrl } = stack();
const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${baseUrl}${path}`, init);

describe('the reference page', () => {
  it('needs no key and loads only files of this server', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(page.headers.get('x-request-id')).not.toBeNull();
    const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(named).toHaveLength(4);
    for (const link of named) {
      const file = await get(`/${link}`);
      expect([link, file.status, file.headers.get('x-content-type-options')]).toEqual([link, 200, 'nosniff']);
      expect(file.headers.get('content-type')).toMatch(
        /^(text\/(css|javascript)|application\/javascript|image\/png)/,
      );
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it('reads the OpenAPI document', async () => {
    const document = (await (await get('/docs/openapi.json')).json()) as { openapi: string; paths: object };
    expect(document.openapi).toBe('3.1.1');
    expect(Object.keys(document.paths)).toContain('/rest/v1/appointments');
  });

  it('supports conditional requests, ranges and HEAD', async () => {
    const path = '/docs/swagger-ui-bundle.js';
    const head = await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    const etag = head.headers.get('etag') ?? '';
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1_000_000);
    expect(
      (await get(path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
    ).toBe(304);
    const part = await get(path, { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  });

  it.each(['/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/openapi.json', '/rest/v1/'])(
    'is compressed for callers who accept gzip, and sent once: %s',
    async (path) => {
      const ask = (headers: Record<string, string>): Promise<Response> =>
        get(path, { headers: { apikey: stack().apikey, ...headers } });
      const [small, plain] = await Promise.all([
        ask({ 'accept-encoding': 'br;q=0.1, gzip' }),
        ask({ 'accept-encoding': 'gzip;q=0' }),
      ]);
      expect([small.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
        'gzip',
        null,
      ]);
      expect(Number(small.headers.get('content-length')) * 3).toBeLessThan(
        Number(plain.headers.get('content-length')),
      );
      expect(small.headers.get('vary')).toContain('Accept-Encoding');
      expect(await small.text()).toBe(await plain.text());
      expect((await ask({ 'if-none-match': small.headers.get('etag') ?? '' })).status).toBe(304);
    },
  );

  it('has no other files and only one address', async () => {
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/..%2fpackage.json', '/docs/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    const slashed = await get('/docs/', { redirect: 'manual' });
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '../docs']);
    expect((await get('/docs', { method: 'POST' })).status).toBe(404);
  });
});
