// What others may build on: the parts that `npm start`, `npm test` and `npm run bench` run.
export { readSettings, variables, type Settings } from './dev.config.js';
export { startInfra, type Infra, type InfraParts } from './infra.js';
export { openSecrets, type Secrets } from './secrets.js';
export { stagesShownBy, type Stages } from './stages.js';
