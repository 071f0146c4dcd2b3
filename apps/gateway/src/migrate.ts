import { migrate } from '@practice/service';
import { authTables } from './tables.js';

await migrate({ service: 'gateway', tables: authTables }, import.meta.url);
