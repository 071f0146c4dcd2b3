import { migrate } from '@practice/service';
import { clients } from './clients.js';
import { migrations } from './migrations/index.js';

await migrate(clients.service, migrations);
