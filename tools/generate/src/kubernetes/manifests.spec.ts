// infra/k8s, rendered by kubectl with the secrets that the step `secrets` makes. The schemas come from packages: kubectl's own dry runs
// would ask a server for its schemas, and no cluster runs here.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { session } from '@practice/testing';
import { projectFolder, services, storedServices } from '@practice/operator';
import { rulesManifest, scalingManifest, servicesManifest } from './manifests.js';
import { problemsOf, type Manifest } from './testing/strict.js';

const kubectl = ['/usr/bin/kubectl', '/usr/local/bin/kubectl', '/opt/homebrew/bin/kubectl'].find(existsSync);
const run = (...args: string[]): string => execFileSync(kubectl ?? 'kubectl', args, { encoding: 'utf8' });

/** Overlays need the kustomize of kubectl 1.22; Debian 12 has 1.20, which renders the base. */
const OVERLAYS_SINCE = 22;
function minorVersion(): number {
  if (kubectl === undefined) return 0;
  const { clientVersion } = JSON.parse(run('version', '--client', '-o', 'json')) as {
    clientVersion: { minor: string };
  };
  return Number.parseInt(clientVersion.minor, 10);
}
const overlays = minorVersion() >= OVERLAYS_SINCE ? ['development', 'production'] : [];

const source = join(projectFolder, 'infra', 'k8s');
const folder = mkdtempSync(join(tmpdir(), 'practice-k8s-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes the secrets of an overlay, as `npm run kubernetes` does. */
const makeSecrets = `import(${JSON.stringify(join(projectFolder, 'apps', 'operator', 'dist', 'containers', 'overlay.js'))})
  .then(({ inOverlay }) => inOverlay(process.argv[1], []))
  .catch(({ message }) => { console.error(message); process.exitCode = 1; })`;

const rendered = new Map<string, readonly Manifest[]>();
beforeAll(async () => {
  if (kubectl === undefined) return;
  cpSync(source, folder, { recursive: true, filter: (path) => !path.endsWith('/secrets') });
  for (const overlay of overlays) {
    const { status, output } = await session(process.execPath, ['-e', makeSecrets, join(folder, overlay)]);
    expect(status === 0 ? '' : output).toBe('');
  }
  for (const name of ['base', 'monitoring', ...overlays]) {
    const documents = parseAllDocuments(run('kustomize', join(folder, name)));
    rendered.set(
      name,
      documents.map((document) => inOneLine(document.toJS() as Manifest)),
    );
  }
});

/** kubectl breaks base64 into lines, which Kubernetes reads and the format `byte` of the schema does not allow. */
const inOneLine = (document: Manifest): Manifest =>
  document.kind === 'Secret'
    ? (JSON.parse(JSON.stringify(document).replaceAll('\\n', '')) as Manifest)
    : document;

const of = (name: string, kind: string): readonly Manifest[] =>
  (rendered.get(name) ?? []).filter((one) => one.kind === kind);

interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly {
    readonly command?: readonly string[];
    readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
    readonly [member: string]: unknown;
  }[];
  readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
  readonly [member: string]: unknown;
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}
const templateOf = ({ spec }: Manifest): Pod => (spec as { template: Pod }).template;
const workloads = (name: string): readonly Manifest[] =>
  ['Deployment', 'StatefulSet', 'Job'].flatMap((kind) => of(name, kind));

const whenRendered = kubectl === undefined ? describe.skip : describe;
const whenWhole = overlays.length === 0 ? describe.skip : describe;

describe('the generated manifests', () => {
  it('have every service (`npm run generate` writes them)', () => {
    const written = (...path: string[]): unknown[] =>
      parseAllDocuments(readFileSync(join(source, ...path), 'utf8')).map((one) => one.toJS() as unknown);
    const made = (text: string): unknown[] => parseAllDocuments(text).map((one) => one.toJS() as unknown);
    expect(written('base', 'services.yaml')).toEqual(made(servicesManifest()));
    expect(written('production', 'scaling.yaml')).toEqual(made(scalingManifest()));
    const alerts = ['alerts.yml', 'alerts.kubernetes.yml'].map((file) =>
      readFileSync(join(projectFolder, 'infra', 'monitoring', file), 'utf8'),
    );
    expect(written('monitoring', 'rules.yaml')).toEqual(made(rulesManifest(alerts)));
  });
});

whenRendered('monitoring', () => {
  it('is valid by the schemas of the Prometheus operator, and scrapes the pods with metrics', async () => {
    for (const document of rendered.get('monitoring') ?? [])
      expect([document.metadata.name, await problemsOf(document)]).toEqual([document.metadata.name, []]);
    const [monitor] = of('monitoring', 'PodMonitor').filter(({ metadata }) => metadata.name === 'practice');
    expect(monitor?.['spec']).toMatchObject({ selector: { matchLabels: { metrics: 'yes' } } });
    for (const { name } of services) {
      const found = of('base', 'Deployment').find((one) => one.metadata.name === name) as Manifest;
      expect(templateOf(found)).toMatchObject({ metadata: { labels: { app: name, metrics: 'yes' } } });
    }
  });
});

whenRendered.each(['base', ...overlays])('%s', (name) => {
  it('is valid by the schemas of Kubernetes and CloudNativePG, without an unknown field', async () => {
    expect(rendered.get(name)?.length).toBeGreaterThan(30);
    for (const document of rendered.get(name) ?? []) {
      const { kind, metadata } = document;
      expect([kind, metadata.name, await problemsOf(document)]).toEqual([kind, metadata.name, []]);
    }
  });

  it('runs each process without privileges, and with limits and probes', () => {
    expect(of(name, 'Deployment').map((one) => one.metadata.name)).toEqual(
      expect.arrayContaining(services.map((service) => service.name)),
    );
    for (const workload of workloads(name)) {
      const { spec } = templateOf(workload);
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of spec.containers)
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: expect.anything(), limits: { memory: expect.any(String) } },
        });
    }
    for (const service of services) {
      const found = of(name, 'Deployment').find((one) => one.metadata.name === service.name) as Manifest;
      const [container] = templateOf(found).spec.containers;
      expect(container?.command?.at(-1)).toBe(`apps/${service.name}/dist/main.js`);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(container).toHaveProperty(probe);
    }
  });

  it('lets a pod reach the same networks as its container in docker-compose.yml', () => {
    const compose = parse(readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8'), {
      merge: true,
    }) as {
      services: Record<string, { networks: readonly string[] }>;
    };
    for (const service of services) {
      const found = of(name, 'Deployment').find((one) => one.metadata.name === service.name) as Manifest;
      const labels = templateOf(found).metadata.labels;
      const networks = compose.services[service.name]?.networks.filter((one) => one !== 'edge');
      expect(networks?.filter((network) => labels[`network-${network}`] !== 'yes')).toEqual([]);
    }
    const policies = of(name, 'NetworkPolicy');
    expect(policies.find((one) => one.metadata.name === 'nothing')?.['spec']).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('finds a misspelt field', async () => {
    const [deployment] = of(name, 'Deployment') as [Manifest];
    const { spec } = deployment as unknown as { spec: object };
    expect(await problemsOf({ ...deployment, spec: { ...spec, replica: 2 } })).toEqual([
      '.spec.replica is not in the schema',
    ]);
    const [cluster] = of(name, 'Cluster') as [Manifest];
    expect(
      await problemsOf({ ...cluster, spec: { ...(cluster['spec'] as object), instances: 'two' } }),
    ).not.toEqual([]);
  });
});

whenWhole.each(overlays)('%s with its secrets', (name) => {
  const secretsBy = (): Map<string, Record<string, string>> =>
    new Map(of(name, 'Secret').map((one) => [one.metadata.name, one['data'] as Record<string, string>]));
  const textIn = (secret: string, key: string): string =>
    Buffer.from(secretsBy().get(secret)?.[key] ?? '', 'base64').toString();
  const secretOf = (workload: Manifest): string[] =>
    templateOf(workload).spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []);

  it('mounts only secrets that exist, each into one process', () => {
    const byOperators = ['postgres-ca'];
    for (const workload of workloads(name))
      for (const secret of secretOf(workload).filter((one) => !byOperators.includes(one)))
        expect([...secretsBy().keys()]).toContain(secret);
    const mounted = services.flatMap(({ name: service }) => {
      const found = of(name, 'Deployment').find((one) => one.metadata.name === service) as Manifest;
      return secretOf(found).filter((one) => !byOperators.includes(one));
    });
    expect(new Set(mounted).size).toBe(services.length);
  });

  it('has the ports, hosts and servers of the manifests in the environment of each process', () => {
    const replicas = (of(name, 'StatefulSet')[0] as unknown as { spec: { replicas: number } }).spec.replicas;
    const hosts = Array.from({ length: replicas }, (_, index) => `nats-${index}.nats:4222`);
    for (const service of services) {
      const found = of(name, 'Deployment').find((one) => one.metadata.name === service.name) as Manifest;
      const [secret = ''] = secretOf(found).filter((one) => one.startsWith(`${service.name}-`));
      const env = parseEnv(textIn(secret, 'env')) as Record<string, string>;
      const [container] = templateOf(found).spec.containers;
      const ports = Object.fromEntries(
        (container?.ports ?? []).map((one) => [one.name, String(one.containerPort)]),
      );
      expect([env['PORT'] ?? env['HEALTH_PORT'], env['METRICS_PORT']]).toEqual([
        ports['http'],
        ports['metrics'],
      ]);
      for (const host of hosts) expect(env['NATS_URL']).toContain(host);
      if (storedServices.includes(service))
        expect([env['DATABASE_URL'], env['RELAY_DATABASE_URL']]).toEqual([
          expect.stringContaining('@pooler:5432/practice?sslmode=verify-full'),
          expect.stringContaining('@postgres-rw:5432/practice?sslmode=verify-full'),
        ]);
    }
    const steps = parseEnv(
      textIn([...secretsBy().keys()].find((one) => one.startsWith('infra')) ?? '', 'env'),
    );
    expect(steps['STREAM_REPLICAS']).toBe(String(replicas));
  });

  it('has no secret in the files of the repository', () => {
    const files = run('kustomize', join(folder, 'base'));
    expect(files).not.toMatch(/^kind: Secret$/m);
    expect(readFileSync(join(projectFolder, '.gitignore'), 'utf8')).toContain('infra/k8s/*/secrets/');
  });
});

it('CloudNativePG and NATS run with the parameters and versions of docker-compose.yml', () => {
  const compose = parse(readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { image: string; command: readonly string[] }>;
  };
  const [document] = parseAllDocuments(readFileSync(join(source, 'base', 'postgres.yaml'), 'utf8'));
  const cluster = document?.toJS() as {
    spec: { imageName: string; postgresql: { parameters: Record<string, string> } };
  };
  const wanted = (compose.services['postgres']?.command ?? []).flatMap((one) => {
    const [, parameter = '', value = ''] = /^-c(\w[\w.]*)=(.*)$/.exec(one) ?? [];
    // CloudNativePG loads the library by its parameter.
    return parameter === '' || parameter === 'shared_preload_libraries' ? [] : [[parameter, value]];
  });
  expect(cluster.spec.postgresql.parameters).toEqual(Object.fromEntries(wanted));
  const version = (image = ''): string => image.split(':')[1]?.split('-')[0] ?? '';
  expect(version(cluster.spec.imageName)).toBe(version(compose.services['postgres']?.image));
  for (const overlay of ['development', 'production']) {
    const { images } = parse(readFileSync(join(source, overlay, 'kustomization.yaml'), 'utf8')) as {
      images: readonly { name: string; newTag: string }[];
    };
    expect(images.find(({ name }) => name === 'nats')?.newTag).toBe(
      compose.services['nats']?.image.split(':')[1],
    );
  }
});
