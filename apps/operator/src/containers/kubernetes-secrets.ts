import { services, type Service } from '../settings/services.js';

/** The Secret of a part, with these files of the folder of secrets. */
const secretOf = (name: string, files: readonly string[], more = {}): object => ({ name, files, ...more });

/**
 * The kustomization.yaml that makes a Secret of each folder of secrets. JSON, since YAML is a superset of it. A Secret that changes gets
 * another name, so the pods that use it are replaced.
 * @param filesOf names of the files in the folder of a service
 */
export function secretsKustomization(filesOf: (service: Service) => readonly string[]): string {
  const ofServices = services.map((service) =>
    secretOf(
      service.name,
      filesOf(service).map((file) => `${service.name}/${file}`),
    ),
  );
  const ofServers = [
    secretOf('infra', ['infra/env', 'infra/secrets.json']),
    secretOf('nats', ['nats/nats-server.conf']),
    // The format that CloudNativePG requires. Its resource refers to the name, so the name must not change.
    secretOf('postgres-superuser', ['password=postgres/password'], {
      literals: ['username=postgres'],
      type: 'kubernetes.io/basic-auth',
      options: { disableNameSuffixHash: true },
    }),
  ];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    secretGenerator: [...ofServices, ...ofServers],
  };
  return `${JSON.stringify(kustomization, null, 2)}\n`;
}
