// What Node has from version 21 on. pg asks it whether it runs in a Cloudflare worker; where there is none it makes a fetch
// `Response` to find out, and with that Node loads the whole of fetch: some 4 MB of every process that only wants a database.

const [major] = process.versions.node.split('.');

const place = globalThis as { navigator?: { readonly userAgent: string } };

place.navigator ??= { userAgent: `Node.js/${major}` };
