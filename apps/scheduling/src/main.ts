import { runService } from '@practice/service';
import { scheduling } from './scheduling.js';

await runService(scheduling, import.meta.url);
