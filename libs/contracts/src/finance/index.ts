import { expenses } from './expenses.js';

export * from './expenses.js';

export const finance = [expenses] as const;
