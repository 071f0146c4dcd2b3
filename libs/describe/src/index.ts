export { operatorsList } from './operators-table.js';
export { databaseTypes } from './typescript/database.js';
export { swagger } from './swagger/swagger.js';
export type { Subject } from './subject.js';
export { compact } from './openapi/compact.js';
export { examplesOf } from './openapi/examples.js';
export { openApi, type Beside, type Call } from './openapi/openapi.js';
export { reference, type Operation } from './openapi/document.js';
export { commonHeaders, headersOf } from './openapi/headers.js';
