/** Headers of a request that tell where it came from. */
export interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'content-type'?: string | undefined;
}

/**
 * Whether a browser sent this from a page of our own. `Sec-Fetch-Site` is the browser's own word and
 * cannot be set by a page; older browsers send `Origin`, which must name the public address or the host
 * that was asked. Neither: refused. server.md T12.
 */
function isSameOrigin(headers: OriginHeaders, publicOrigin: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (origin === publicOrigin) return true;
  const { protocol, host: originHost } = new URL(origin);
  // A proxy that ends TLS passes the host on; the scheme is not ours to compare then.
  return (protocol === 'http:' || protocol === 'https:') && host === originHost;
}

/**
 * Whether a session may change something with this request: from our own page, and with a JSON body,
 * which no form of another site can send. A DELETE has no body.
 */
export function mayChange(
  method: string,
  headers: OriginHeaders,
  publicOrigin: string | null,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (!isSameOrigin(headers, publicOrigin)) return false;
  const type = headers['content-type'];
  if (type === undefined) return method === 'DELETE';
  return /^application\/json\s*(?:;|$)/i.test(type);
}
