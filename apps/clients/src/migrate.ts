import { migrate } from '@practice/service';
import { clients } from './clients.js';

await migrate(clients, import.meta.url);
