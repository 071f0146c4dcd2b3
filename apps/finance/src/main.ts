import { serve } from '@practice/service';
import { finance } from './finance.js';

await serve(finance);
