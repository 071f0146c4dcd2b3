// The parts that other packages may use.
export { readSettings, type Settings } from './dev.config.js';
export { joinStack, type Coordinates, type JoinedStack } from './coordinates.js';
export { composeWithServices } from './docs/compose.js';
export { settingsTable } from './docs/settings-table.js';
export { Failure } from './failure.js';
export { startInfra, type Infra } from './infra.js';
export { emptyProcessTable, type ProcessTable } from './processes/process-table.js';
export { type Extra } from './processes/extra.js';
export { startRedis, type Redis } from './redis/server.js';
export { openSecrets, type Secrets } from './secrets.js';
export { type ServerParts } from './servers.js';
export { runningStack } from './running-stack.config.js';
export { startStack, type Stack, type StackOptions } from './stack.js';
export { stagesShownBy, type Stages } from './stages.js';
