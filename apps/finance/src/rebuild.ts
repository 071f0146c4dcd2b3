import { runRebuild } from '@practice/service';
import { finance } from './finance.js';

await runRebuild(finance);
