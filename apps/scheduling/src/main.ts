import { serve } from '@practice/service';
import { scheduling } from './scheduling.js';

await serve(scheduling);
