import { migrate } from '@practice/service';
import { scheduling } from './scheduling.js';

await migrate(scheduling, import.meta.url);
