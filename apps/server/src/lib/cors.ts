// What browser clients of other origins may do: everything, without credentials. Source: contract, Indexing and trust.

/** On every reply but those of `local` mounts. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, x-request-id, retry-after',
};

/** A wildcard would not cover `authorization`, so the headers are named. */
export const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id',
  'access-control-max-age': '86400',
};
