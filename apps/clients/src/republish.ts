import { runRepublish } from '@practice/service';
import { clients } from './clients.js';

await runRepublish(clients.service);
