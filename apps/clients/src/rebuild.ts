import { runRebuild } from '@practice/service';
import { clients } from './clients.js';

await runRebuild(clients);
