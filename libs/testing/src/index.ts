export * from './accounts.js';
export * from './admin-database.js';
export * from './browser.js';
export * from './builder.js';
export * from './conformance.js';
export * from './inspector.js';
export * from './container-step.js';
export * from './database.js';
export * from './eventually.js';
export * from './files-with.js';
export * from './given.js';
export * from './invitations.js';
export * from './logs.js';
export * from './members.js';
export * from './metrics.js';
export * from './own-stack.js';
export * from './start-held.js';
export * from './patient-fetch.js';
export * from './practice.js';
export * from './quiet.js';
export * from './reactions.js';
export * from './records.js';
export * from './session.config.js';
export * from './scratch-schema.js';
export * from './scratch-service.js';
export * from './stack.js';
export * from './tables-with.js';
export type {
  Extra,
  JoinedStack,
  Redis,
  Stack,
  StackOptions,
  StackTools,
  Standby,
  Target,
  Wire,
} from './tools.js';
