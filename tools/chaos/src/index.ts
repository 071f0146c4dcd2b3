export { chaos } from './chaos.js';
