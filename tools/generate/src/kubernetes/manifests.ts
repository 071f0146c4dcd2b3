// The parts of infra/k8s that exist for each service. The environment of a process is in its Secret, which the step `secrets` makes
// by the same code as for other containers.

import {
  API_PORT,
  ERASURES_VOLUME,
  GATEWAY,
  HEALTH_PORT,
  LIVE,
  METRICS_PORT,
  OWN_VOLUME,
  places,
  POSTGRES_CA,
  type Service,
  services,
} from '@practice/operator';
const HEAD = '# Written by `npm run generate`.\n';
/** After a gateway has drained, requests in flight get 10 s to end, and the process needs some more time to end itself. */
const GRACE_SECONDS = places.kubernetes.drainSeconds + 20;

const portOf = ({ name }: Service): number => (name === GATEWAY ? API_PORT : HEALTH_PORT);

/** The networks of a service, by their names in the policies of network.yaml. */
const networksOf = ({ name, answers }: Service): string[] => [
  'bus',
  ...(answers ? ['data'] : []),
  ...(name === GATEWAY || name === LIVE || ['identity', 'webhooks'].includes(name) ? ['internet'] : []),
];

/** Indents lines of YAML. */
const indented = (spaces: number, lines: readonly string[]): string =>
  lines.map((line) => `${' '.repeat(spaces)}${line}\n`).join('');

function containerOf(service: Service): string {
  const { name, answers } = service;
  const mounts = [
    `- { name: secrets, mountPath: ${OWN_VOLUME}, readOnly: true }`,
    '- { name: tmp, mountPath: /tmp }',
    ...(answers
      ? [
          `- { name: postgres-ca, mountPath: ${POSTGRES_CA}, readOnly: true }`,
          `- { name: erasures, mountPath: ${ERASURES_VOLUME} }`,
        ]
      : []),
  ];
  return `      containers:
        - name: ${name}
          image: practice-api
          command: [node, --env-file=${OWN_VOLUME}/env, apps/${name}/dist/main.js]
          ports:
            - { name: http, containerPort: ${portOf(service)} }
            - { name: metrics, containerPort: ${METRICS_PORT} }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          resources:
            requests: { cpu: 100m, memory: 192Mi }
            limits: { cpu: '2', memory: 512Mi }
          startupProbe: { httpGet: { path: /livez, port: http }, periodSeconds: 2, failureThreshold: 60 }
          livenessProbe: { httpGet: { path: /livez, port: http }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 5 }
          readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 2, timeoutSeconds: 4, failureThreshold: 2 }
          volumeMounts:
${indented(12, mounts)}`;
}

function volumesOf({ name, answers }: Service): string {
  const volumes = [
    `- { name: secrets, secret: { secretName: ${name}, defaultMode: 0440 } }`,
    '- { name: tmp, emptyDir: { medium: Memory, sizeLimit: 16Mi } }',
    ...(answers
      ? [
          '- { name: postgres-ca, secret: { secretName: postgres-ca, items: [{ key: ca.crt, path: ca.crt }] } }',
          `- { name: erasures, persistentVolumeClaim: { claimName: ${name}-erasures } }`,
        ]
      : []),
  ];
  return `      volumes:
${indented(8, volumes)}`;
}

/** `shareProcessNamespace` is as `init` in docker-compose.yml: the app is not the first process, so SIGTERM ends it while it starts. */
function deploymentOf(service: Service): string {
  const { name } = service;
  return `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, labels: { app: ${name}, step: serve } }
spec:
  selector: { matchLabels: { app: ${name} } }
  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  template:
    metadata:
      labels:
        app: ${name}
        metrics: 'yes'
${indented(
  8,
  networksOf(service).map((network) => `network-${network}: 'yes'`),
)}    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      shareProcessNamespace: true
      terminationGracePeriodSeconds: ${GRACE_SECONDS}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: DoNotSchedule
          nodeTaintsPolicy: Honor
          labelSelector: { matchLabels: { app: ${name} } }
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: { matchLabels: { app: ${name} } }
${containerOf(service)}${volumesOf(service)}`;
}

/** The Service of the API, or the one at which gateways find the live processes. */
const serviceOf = (service: Service): string => `---
apiVersion: v1
kind: Service
metadata: { name: ${service.name}, labels: { app: ${service.name} } }
spec:
  selector: { app: ${service.name} }
  ports: [{ name: http, port: ${portOf(service)}, targetPort: http }]
`;

/** The volume of a ledger of erasures. Every pod of a service appends to the same ledger. */
const erasuresOf = ({ name }: Service): string => `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}-erasures, labels: { app: ${name} } }
spec:
  accessModes: [ReadWriteMany]
  resources: { requests: { storage: 1Gi } }
`;

/** infra/k8s/base/services.yaml. */
export const servicesManifest = (): string =>
  HEAD +
  services
    .map((service) => deploymentOf(service) + (service.answers ? erasuresOf(service) : serviceOf(service)))
    .join('');

const scalingOf = ({ name }: Service): string => `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: ${name} }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }
  minReplicas: 2
  maxReplicas: 6
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: AverageValue, averageValue: 700m } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${name} }
spec:
  maxUnavailable: 1
  selector: { matchLabels: { app: ${name} } }
`;

/** infra/k8s/production/scaling.yaml: two to six pods of each service. A drained node takes one pod at a time. */
export const scalingManifest = (): string => HEAD + services.map(scalingOf).join('');

/** infra/k8s/monitoring/rules.yaml. @param files the texts of the files with the alerts that hold in Kubernetes */
export const rulesManifest = (files: readonly string[]): string =>
  `${HEAD}apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: practice }
spec:
  groups:
${files.map((text) => indented(2, (text.split(/^groups:\n/m)[1] ?? '').trimEnd().split('\n'))).join('')}`;
