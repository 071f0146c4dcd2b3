import { serve } from '@practice/service';
import { clients } from './clients.js';

await serve(clients);
