import { migrate } from '@practice/service';
import { finance } from './finance.js';
import { migrations } from './migrations/index.js';

await migrate(finance.service, migrations);
