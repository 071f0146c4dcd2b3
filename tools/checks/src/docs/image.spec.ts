// The content of the image, made by the same program as in the build of the image.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectFolder, services } from '@practice/operator';
import { session } from '@practice/testing';

const release = mkdtempSync(join(tmpdir(), 'practice-release-'));
const packages = (...path: string[]): string => join(release, 'node_modules', ...path);

beforeAll(() => {
  const program = join(projectFolder, 'tools', 'build', 'release.mjs');
  execFileSync(process.execPath, [program, release, '--without-packages']);
  linkPackages();
});
afterAll(() => rmSync(release, { recursive: true }));

/** Links third-party packages from this project, and the product's own packages from the release. */
function linkPackages(): void {
  const source = join(projectFolder, 'node_modules');
  mkdirSync(packages('@practice'), { recursive: true });
  for (const name of readdirSync(source))
    if (name !== '@practice') symlinkSync(join(source, name), packages(name));
  for (const name of readdirSync(join(source, '@practice'))) {
    const group = ['libs', 'apps'].find((one) => readdirSync(join(release, one)).includes(name));
    if (group !== undefined) symlinkSync(join(release, group, name), packages('@practice', name));
  }
}

const files = (): string[] =>
  readdirSync(release, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.includes('node_modules') && lstatSync(join(release, path)).isFile(),
  );

describe('the image', () => {
  it('has built files, pages, migrations and manifests, without sources and specs', () => {
    const found = files();
    for (const { name } of services) expect(found).toContain(join('apps', name, 'dist', 'main.js'));
    expect(found).toContain(join('apps', 'console', 'dist', 'index.html'));
    const isRun = /\.(m?js|sql|sh)$|\/pages\/\w+\.html$|package\.json$|^apps\/console\/dist\//;
    expect(found.filter((path) => !isRun.test(path))).toEqual(['image-id']);
    expect(found.filter((path) => /\.spec\.|(^|\/)(src|testing|test)\//.test(path))).toEqual([]);
  });

  it('makes the secrets of all containers', async () => {
    const volumes = join(release, 'volumes');
    mkdirSync(join(volumes, 'infra'), { recursive: true });
    const steps = JSON.stringify(
      join(release, 'apps', 'operator', 'dist', 'containers', 'container-steps.js'),
    );
    const code = `import(${steps}).then(({ runStep }) => runStep(${JSON.stringify(volumes)}, ['secrets']))`;
    const { status, output } = await session(process.execPath, ['-e', code]);
    expect([status, output]).toEqual([0, expect.stringContaining('API key')]);
    for (const { name } of services) expect(readdirSync(join(volumes, name))).toContain('env');
  });
});

describe('the health check of a container', () => {
  let server: Server;
  let status = 200;
  const check = (port: number): Promise<{ status: number | null }> =>
    session('bash', [join(release, 'apps', 'operator', 'container', 'ready.sh'), String(port)]);

  beforeAll(async () => {
    server = createServer((request, response) =>
      response.writeHead(request.url === '/readyz' ? status : 404).end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('gets status %i from /readyz, and exits with %i', async (answered, expected) => {
    status = answered;
    expect((await check((server.address() as AddressInfo).port)).status).toBe(expected);
  });

  it('exits with 1 if nothing listens on the port', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect((await check(port)).status).toBe(1);
  });
});
