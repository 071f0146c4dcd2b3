// The parts that other packages use.
export { drills } from './commands.js';
export { openMeans } from './kit/drill.js';
export { type NatsCluster, startNatsCluster } from './nats-cluster.js';
export { type PatroniCluster, startPatroni } from './patroni/cluster.js';
export { type Member } from './patroni/member.js';
export { messagesIn } from './kit/server-sent-events.js';
