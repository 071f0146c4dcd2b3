// The parts that other packages use.
export { archiveOf } from './backup/archive.js';
export { type Archiver, archiveSettings, startArchiver } from './backup/archiver.js';
export { refuseTarget, requireTarget, say } from './backup/commands.js';
export { measureBackups } from './backup/measure.js';
export { restore, type Wanted } from './backup/restore.js';
export { targetOf } from './backup/target.js';
export { problemsOf, rehearse } from './backup/verify.js';
export { readOptions, stopRequests } from './common/command-line.js';
export { Failure, textOf } from './common/failure.js';
export { freePort, requireFreePort } from './common/ports.js';
export { jsonFile, writePrivately } from './common/private-file.js';
export { type Stages, stagesShownBy } from './common/stages.js';
export { until } from './common/until.js';
export { withCredentials } from './common/with-credentials.js';
export { runCommand, type Surroundings } from './commands/commands.js';
export {
  API_PORT,
  ERASURES_VOLUME,
  HEALTH_PORT,
  METRICS_PORT,
  OWN_VOLUME,
} from './containers/container-servers.js';
export { changeUser, readerUrl, requireOwnNats } from './events/commands.js';
export { readReaders, userOf } from './nats/readers.js';
export { replaceUsers, serverFile } from './nats/server-file.js';
export { canConnect, openConnection, prepareStream, refuseReplicas, withConnection } from './nats/stream.js';
export { ADMIN, productUsers } from './nats/users.js';
export { isFixed } from './nats/version.js';
export { postgresAccount } from './postgres/account.js';
export { type Cluster, emptyCluster, openCluster, removeData } from './postgres/cluster.js';
export { connect, DATABASE, provision, withClient } from './postgres/provision.js';
export { isReachable } from './postgres/reachable.js';
export { startPostgres, stopPostgres } from './postgres/server.js';
export {
  type DatabaseServer,
  databaseServers,
  externalServers,
  needsBuiltIn,
  urlsByService,
  urlsOn,
} from './postgres/servers.js';
export { type Child, type Exit, type Program, startChild, startReady } from './processes/child.js';
export { claim, isClaimed } from './processes/claim.js';
export { environmentOf, type Whereabouts } from './processes/environment.js';
export { allPids, identify, isAlive, statOf } from './processes/identity.js';
export { openLog, tailOf } from './processes/log-file.js';
export { nodeFlagsOf, nodeMemory } from './processes/memory.js';
export { programPath } from './processes/program-path.js';
export { run } from './processes/run.js';
export { migrateAll } from './programs/migrate.js';
export { reconcileAll } from './programs/reconcile.js';
export { programEnvironment, runProgram, type ServerAccess, type Servers } from './programs/run-program.js';
export { makeDataFolder, noteMigrations, requireData } from './settings/data-folder.js';
export {
  keyFilesIn,
  keySettingIn,
  keysFolderOf,
  operatorsKeys,
  writeKeyFiles,
} from './settings/key-lists.js';
export { isProduction, machineEnvironment, readSettings, type Settings } from './settings/operator.config.js';
export { places, POSTGRES_CA } from './settings/places.js';
export { argumentsOfScript, programOf, projectFolder } from './settings/project.js';
export { forgetRestore, noteRestore, readRestore, requireWhole } from './settings/restored.js';
export { openSecrets, type Secrets, statementKeysOf } from './settings/secrets.js';
export { type ServerUrls } from './settings/server-urls.js';
export { GATEWAY, LIVE, schemaOf, type Service, services, storedServices } from './settings/services.js';
