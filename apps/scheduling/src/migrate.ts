import { migrate } from '@practice/service';
import { migrations } from './migrations/index.js';
import { scheduling } from './scheduling.js';

await migrate(scheduling.service, migrations);
