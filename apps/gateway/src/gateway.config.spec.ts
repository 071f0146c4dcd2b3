import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@practice/process';
import { readGatewayConfig } from './gateway.config.js';
import { InFlight } from './http/capacity.js';
import { CommonHeaders } from './http/common-headers.js';
import { Responses } from './http/responses.js';
import { ownFolder } from './openapi/pages.js';
import { createServer, MAX_HEAD_BYTES } from './server.js';

const complete = {
  NATS_URL: 'nats://gateway:p@localhost:4222',
  ANON_KEY: 'sb_publishable_x',
  STATEMENT_PRIVATE_KEY: 'MC4CAQAwBQYDK2VwBCIEIA',
};

describe('the settings of the gateway', () => {
  it('have defaults for all but addresses and keys', () => {
    expect(readGatewayConfig(complete)).toMatchObject({
      port: 8000,
      host: '127.0.0.1',
      limits: { reads: 100, writes: 30, auth: 10 },
      logLevel: 'info',
      trustedProxies: [],
      baseUrl: 'http://localhost:8000',
      isTls: false,
      corsOrigins: [],
      headersWithinMs: 10_000,
      requestWithinMs: 30_000,
      maxInFlight: 1000,
    });
  });

  it('may name proxies and networks', () => {
    const { trustedProxies } = readGatewayConfig({ ...complete, TRUSTED_PROXIES: '10.0.0.0/8, ::1' });
    expect(trustedProxies).toEqual(['10.0.0.0/8', '::1']);
  });

  it('may name origins', () => {
    const { corsOrigins } = readGatewayConfig({
      ...complete,
      CORS_ORIGINS: 'https://a.example, http://b:3000',
    });
    expect(corsOrigins).toEqual(['https://a.example', 'http://b:3000']);
  });

  it('have no shared secret if the variable is empty', () => {
    expect(readGatewayConfig({ ...complete, JWT_SECRET: '' })).not.toHaveProperty('jwtSecret');
  });

  it.each([
    ['3600', '30', 30_000],
    ['400', '3600', 400_000],
  ])('limit the time of headers to %s s, and of a request to %s s', (headers, request, headersTimeout) => {
    const limits = { HEADERS_TIMEOUT_SECONDS: headers, REQUEST_TIMEOUT_SECONDS: request };
    const settings = readGatewayConfig({ ...complete, ...limits });
    const commonHeaders = new CommonHeaders(settings, { untouched: () => null });
    const responses = new Responses(createLogger('gateway', 'silent'), commonHeaders);
    const { server } = createServer(responses, settings, new InFlight(1)).getInstance();
    expect(server).toMatchObject({ headersTimeout, requestTimeout: Number(request) * 1000 });
  });

  it('name the issuer of tokens that another secret or another key signs', () => {
    const secret = { JWT_SECRET: 'a secret that another issuer of tokens knows' };
    expect(() => readGatewayConfig({ ...complete, ...secret })).toThrow(/^JWT_ISSUER must be set/);
    expect(readGatewayConfig({ ...complete, ...secret, JWT_ISSUER: 'https://id.example' })).toMatchObject({
      foreignIssuer: 'https://id.example',
    });
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['LIMIT_READS_PER_MINUTE', '-1'],
    ['LIMIT_WRITES_PER_MINUTE', '1.5'],
    ['LIMIT_AUTH_PER_MINUTE', 'many'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://x'],
    ['NATS_URL', 'http://x'],
    ['ANON_KEY', ''],
    ['STATEMENT_PRIVATE_KEY', ''],
    ['STATEMENT_PRIVATE_KEY', 'no/key'],
    ['JWT_SECRET', 'short'],
    ['ACCESS_TOKEN_TTL_SECONDS', '10'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['TRUSTED_PROXIES', 'proxy.local'],
    ['BASE_URL', 'ftp://x'],
    ['REDIS_URL', 'http://x'],
    ['CORS_ORIGINS', 'app.example'],
    ['CORS_ORIGINS', 'https://app.example/'],
    ['CORS_ORIGINS', '*'],
    ['HEADERS_TIMEOUT_SECONDS', '0'],
    ['SITE_URL', 'app.example.com'],
    ['KEY_ENCRYPTION_KEY', 'short'],
    ['SMTP_URL', 'mail.example.com'],
  ])('refuse %s=%s by name', (name, value) => {
    expect(() => readGatewayConfig({ ...complete, [name]: value })).toThrow(name);
  });
});

it('the proxy in front of the gateways takes heads that are as large as the limit of a gateway', () => {
  const proxy = readFileSync(join(ownFolder, '../../infra/haproxy/haproxy.cfg'), 'utf8');
  const [, bytes] = /^ *tune\.bufsize (\d+)$/m.exec(proxy) ?? [];
  // HAProxy keeps 1 KiB for headers that it adds.
  expect(Number(bytes) - 1024).toBeGreaterThan(MAX_HEAD_BYTES);
});
