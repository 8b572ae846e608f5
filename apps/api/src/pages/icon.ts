import type { Asset } from './assets.ts';

/** Two sides that are kept apart, as beside the name of the console. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="#2f74b8">
<path d="M4 0h4v20H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4zM12 0h4a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-4z"/>
</svg>
`;

/** The picture of the service in tabs and bookmarks. Browsers ask for this path on their own. */
export const ICON_ASSET: Asset = {
  path: '/favicon.ico',
  headers: {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'cross-origin-resource-policy': 'same-origin',
    // Opened by itself it is a document.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
  content: ICON,
};
