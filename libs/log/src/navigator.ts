// `navigator` exists in Node from version 21 on. pg reads it to detect a Cloudflare worker; without it, pg makes a `Response`
// instead, which loads all of fetch: about 4 MB in every process that uses a database.

const [major] = process.versions.node.split('.');

const scope = globalThis as { navigator?: { readonly userAgent: string } };

scope.navigator ??= { userAgent: `Node.js/${major}` };
