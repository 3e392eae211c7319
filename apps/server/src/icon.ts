// The icon of an endpoint: one drawing for every mount, served from this origin because a client asks nowhere else.
import type { Reply } from './http.ts';

export const ICON_SIZE = '128x128';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img" aria-label="Skillquay"><rect width="128" height="128" rx="24" fill="#0b3d63"/><path d="M20 88h88v10H20z" fill="#f2c14e"/><path d="M32 98v14M64 98v14M96 98v14" stroke="#f2c14e" stroke-width="8" stroke-linecap="round"/><path d="M64 20 38 76h52z" fill="#fff"/><path d="M64 20v56" stroke="#0b3d63" stroke-width="4"/></svg>
`;

export function iconReply(): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
    body: SVG,
  };
}
