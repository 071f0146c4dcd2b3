import { runRebuild } from '@practice/service';
import { scheduling } from './scheduling.js';

await runRebuild(scheduling);
