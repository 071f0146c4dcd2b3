import { clients } from './clients.js';
import { conversationLog } from './conversation-log.js';

export * from './clients.js';
export * from './conversation-log.js';

export const clientResources = [clients, conversationLog] as const;
