import { html } from 'hono/html';
import { createAsset } from './assets.ts';
import type { PageContext } from './context.ts';
import { ICON_ASSET } from './icon.ts';
import type { Page } from './page.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { STYLE } from './style.ts';

const STYLE_ASSET = createAsset('pages.css', 'text/css', STYLE);
const SCRIPT_ASSET = createAsset('passkeys.js', 'text/javascript', PASSKEY_SCRIPT);

/** The style, the script and the icon of all pages. */
export const PAGE_ASSETS = [STYLE_ASSET, SCRIPT_ASSET, ICON_ASSET];

/** The type of pages, in the spelling of all texts of this service. */
export const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Answers with a page, which the origins of the tenant's whitelist may frame. */
export function renderPage(c: PageContext, page: Page): Response | Promise<Response> {
  const { title, content, status = 200, script = false, wide = false } = page;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Access Admin</title>
<link rel="icon" href="${ICON_ASSET.path}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_ASSET.path}">
${script && html`<script src="${SCRIPT_ASSET.path}" defer></script>`}
</head>
<body>
<header><p>Access Admin</p></header>
<main${wide && html` class="wide"`}>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  c.set('needs', { script });
  return c.html(document, status, HTML);
}

/** Leads a browser on with GET. */
export function redirectTo(c: PageContext, path: string): Response {
  c.header('referrer-policy', 'same-origin');
  return c.redirect(path, 303);
}
