import { practice } from './practice.js';

export * from './practice.js';

export const gateway = [practice] as const;
