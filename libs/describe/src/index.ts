export { databaseTypes } from './typescript/database.js';
export { swagger } from './swagger/swagger.js';
export type { Swagger } from './swagger/swagger.js';
export type { Subject } from './subject.js';
