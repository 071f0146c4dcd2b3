// The parts that other packages use.
export { mountSmallDisk, type SmallDisk } from './faults/small-disk.js';
export { type Wire, wireTo } from './faults/wire.js';
export { readTargets } from './monitoring/targets.js';
export { appOf, startApp, stopApp } from './processes/app.js';
export { signalTree } from './processes/tree.js';
export { type Answer, type ApiAccess, call, type Call, demand, type Owner, signUp } from './seed/api.js';
export { createRandom } from './seed/random.js';
export { findNatsServer } from './servers/nats-program.js';
export { startRedis } from './servers/redis-server.js';
export { startStandby } from './servers/standby.js';
export { type Coordinates, placeOf, serversOf } from './stack/coordinates.js';
export { type RunFile } from './stack/run-file.js';
export { runningStack, templateFolder } from './stack/running-stack.config.js';
export { type Stack, type StackOptions, startStack } from './stack/stack.js';
export { welcome } from './stack/welcome.js';
export { withoutLimits } from './stack/without-limits.js';
export { checkOut } from './versions/check-out.js';
