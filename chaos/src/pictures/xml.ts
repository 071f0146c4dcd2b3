const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for the content and the attributes of XML. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => named[sign] ?? sign);
