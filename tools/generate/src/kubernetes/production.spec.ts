// The connections, the zones and the address of the API in the manifests of production.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { projectFolder, services, storedServices } from '@practice/operator';
import type { Manifest } from './testing/strict.js';

const folder = join(projectFolder, 'infra', 'k8s');
const ZONE = 'topology.kubernetes.io/zone';

const manifests = [
  'base/postgres',
  'base/nats',
  'base/network',
  'base/operator',
  'base/services',
  'production/scaling',
  'production/ingress',
].flatMap((name) =>
  parseAllDocuments(readFileSync(join(folder, `${name}.yaml`), 'utf8')).map((one) => one.toJS() as Manifest),
);

/** The specs of a kind, by the name of the resource. */
const specsOf = <T>(kind: string): Record<string, T> =>
  Object.fromEntries(
    manifests.filter((one) => one.kind === kind).map((one) => [one.metadata.name, one['spec'] as T]),
  );

interface Pooler {
  readonly instances: number;
  readonly deploymentStrategy: { readonly rollingUpdate: { readonly maxSurge: number } };
  readonly pgbouncer: { readonly parameters: Readonly<Record<string, string>> };
}

it('Postgres has enough connections for the highest number of pods, even while all of them are replaced', () => {
  const { pooler } = specsOf<Pooler>('Pooler') as { pooler: Pooler };
  const scaling = specsOf<{ readonly maxReplicas: number }>('HorizontalPodAutoscaler');
  const pods = storedServices.reduce((sum, { name }) => sum + (scaling[name]?.maxReplicas ?? NaN) + 1, 0);
  const { max_client_conn: clients, default_pool_size: size } = pooler.pgbouncer.parameters;
  const poolers = pooler.instances + pooler.deploymentStrategy.rollingUpdate.maxSurge;
  const { postgres } = specsOf<{ postgresql: { parameters: Record<string, string> } }>('Cluster');
  // Two for the relay and the follower of each pod, the pools, and 15 for superusers, standbys and the operator of Postgres.
  const wanted = pods * 2 + poolers * Number(size) * storedServices.length + 15;
  expect(wanted).toBeLessThanOrEqual(Number(postgres?.postgresql.parameters['max_connections']));
  // While one pooler is unavailable, the other one takes the connections of all pods.
  expect(pods * 12).toBeLessThanOrEqual(Number(clients));
});

it('the API has TLS on the host of BASE_URL', () => {
  const { BASE_URL = '' } = parseEnv(readFileSync(join(folder, 'production', 'settings.env'), 'utf8'));
  const { protocol, host } = new URL(BASE_URL);
  expect(protocol).toBe('https:');
  expect(specsOf('Ingress')['api']).toMatchObject({ tls: [{ hosts: [host] }], rules: [{ host }] });
});

it('the servers are in different zones, and the pods of a service are in all zones', () => {
  expect(specsOf('Cluster')['postgres']).toMatchObject({
    affinity: { enablePodAntiAffinity: true, podAntiAffinityType: 'required', topologyKey: ZONE },
  });
  for (const server of [specsOf('StatefulSet')['nats'], specsOf('Pooler')['pooler']])
    expect(server).toHaveProperty(
      'template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution',
      [expect.objectContaining({ topologyKey: ZONE })],
    );
  for (const { name } of services)
    expect(specsOf('Deployment')[name]).toHaveProperty(
      'template.spec.topologySpreadConstraints',
      expect.arrayContaining([
        expect.objectContaining({ topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }),
      ]),
    );
});

it('pods reach a collector of traces and a Redis in the cluster, as settings name them', () => {
  const to = (network: string, port: number) => ({
    to: [{ namespaceSelector: { matchLabels: { 'practice-network': network } } }],
    ports: [{ port }],
  });
  expect(specsOf('NetworkPolicy')['traces-and-counters']).toEqual({
    podSelector: { matchLabels: { metrics: 'yes' } },
    policyTypes: ['Egress'],
    egress: [to('monitoring', 4318), to('counters', 6379)],
  });
});

it('a process of the product is not the first of its pod, so it ends by SIGTERM while it starts', () => {
  const pods = { ...specsOf<object>('Deployment'), ...specsOf<object>('Job') };
  expect(Object.keys(pods)).toEqual(
    expect.arrayContaining(['prepare', 'operator', ...services.map(({ name }) => name)]),
  );
  for (const pod of Object.values(pods))
    expect(pod).toHaveProperty('template.spec.shareProcessNamespace', true);
});
