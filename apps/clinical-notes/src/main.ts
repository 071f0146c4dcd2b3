import { serve } from '@practice/service';
import { clinicalNotes } from './clinical-notes.js';

await serve(clinicalNotes);
