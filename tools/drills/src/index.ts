// The parts that other packages use.
export { drills } from './commands.js';
export { type Drill, type Drilling, Missing, openMeans, runDrill } from './kit/drill.js';
export { type NatsCluster, startNatsCluster } from './nats-cluster.js';
export { type PatroniCluster, startPatroni } from './patroni/cluster.js';
export { type Member } from './patroni/member.js';
export { messagesIn } from './kit/server-sent-events.js';
export { startSystem } from './kit/system.js';
