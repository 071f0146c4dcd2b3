// The parts that other packages may use.
export { machineEnvironment, readSettings, type Settings } from './dev.config.js';
export { joinStack, type Coordinates, type JoinedStack } from './coordinates.js';
export { authorityWithServices, backupWithServices, composeWithServices } from './docs/compose.js';
export { rulesManifest, scalingManifest, servicesManifest } from './kubernetes/manifests.js';
export { settingsTable } from './docs/settings-table.js';
export { Missing, openMeans, runDrill, type Drill, type Drilling, type Means } from './drills/drill.js';
export { startNatsCluster, type NatsCluster } from './drills/nats-cluster.js';
export { startPatroni, type PatroniCluster } from './drills/patroni/cluster.js';
export { type Member } from './drills/patroni/member.js';
export { messagesIn } from './drills/server-sent-events.js';
export { startSystem } from './drills/system.js';
export { Failure } from './failure.js';
export { startInfra, type Infra } from './infra.js';
export { emptyProcessTable, type ProcessTable } from './processes/process-table.js';
export { freePort } from './ports.js';
export { startStandby, type Standby } from './postgres/standby.js';
export { type Extra } from './processes/extra.js';
export { signalTree } from './processes/tree.js';
export { createRandom } from './random.js';
export { runProgram } from './commands.js';
export { keySettingIn, keysFolderOf } from './key-lists.js';
export { rolesOf, schemaOf, services, storedServices } from './services.js';
export { startRedis, type Redis } from './redis/server.js';
export {
  rangePath,
  readDashboards,
  type Dashboard,
  type DashboardRow,
  type Panel,
  type RangeSeries,
  type Span,
} from './monitoring/dashboards.js';
export { prometheusProgram, startPrometheus, type Prometheus } from './monitoring/prometheus.js';
export { samplesIn, scrapeText, sumOf, type Sample } from './monitoring/samples.js';
export { readTargets, type Target } from './monitoring/targets.js';
export { openSecrets, type Secrets } from './secrets.js';
export { type ServerParts } from './servers.js';
export { runningStack, templateFolder } from './running-stack.config.js';
export { startStack, type ServerUrls, type Stack, type StackOptions } from './stack.js';
export { mountSmallDisk, type SmallDisk } from './small-disk.js';
export { stagesShownBy, type Stages } from './stages.js';
export { until } from './until.js';
export { wireTo, type Wire } from './wire.js';
