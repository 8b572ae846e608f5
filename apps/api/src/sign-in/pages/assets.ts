import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { STYLE } from './style.ts';

/** A constant part of pages. */
interface Asset {
  /** Has a digest of the content, so that it is cached for ever. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string;
}

const DIGEST_LENGTH = 16;

/** An asset of this name, such as `pages.css`. */
function createAsset(name: string, contentType: string, content: string): Asset {
  const digest = hash('sha256', content).slice(0, DIGEST_LENGTH);
  return {
    path: `/assets/${name.replace('.', `.${digest}.`)}`,
    headers: {
      'content-type': `${contentType}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    },
    content,
  };
}

/** The look that the pages share with the console. Among the sources it is in its package; a bundle has it beside itself. */
const LOOK = readFileSync(
  import.meta.url.endsWith('.ts')
    ? fileURLToPath(import.meta.resolve('@access-admin/look'))
    : join(import.meta.dirname, 'look.css'),
  'utf8',
);

export const STYLESHEET = createAsset('pages.css', 'text/css', `${LOOK}${STYLE}`);

export const SCRIPT = createAsset('passkeys.js', 'text/javascript', PASSKEY_SCRIPT);

/** The picture of the service in tabs and bookmarks. Browsers ask for this path on their own. */
export const ICON: Asset = {
  path: '/favicon.ico',
  headers: {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'cross-origin-resource-policy': 'same-origin',
    // Opened by itself it is a document.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
  // Two sides that are kept apart, as beside the name of the console.
  content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="#2f74b8">
<path d="M4 0h4v20H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4zM12 0h4a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-4z"/>
</svg>
`,
};

export const PAGE_ASSETS: readonly Asset[] = [STYLESHEET, SCRIPT, ICON];
