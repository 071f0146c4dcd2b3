import { runService } from '@practice/service';
import { clients } from './clients.js';

await runService(clients, import.meta.url);
