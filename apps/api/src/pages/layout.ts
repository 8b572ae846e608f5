import type { HttpResponse } from '../http/exchange.ts';
import { type Asset, createAsset } from './assets.ts';
import { policyHeaders } from './content-policy.ts';
import { type Html, html } from './html.ts';
import { ICON_ASSET } from './icon.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { STYLE } from './style.ts';

const STYLE_ASSET = createAsset('pages.css', 'text/css', STYLE);
const SCRIPT_ASSET = createAsset('passkeys.js', 'text/javascript', PASSKEY_SCRIPT);

/** The style, the script and the icon of all pages. */
export const PAGE_ASSETS: readonly Asset[] = [STYLE_ASSET, SCRIPT_ASSET, ICON_ASSET];

/** One page. */
export interface Page {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** Whether passkeys are offered, which need a script. */
  readonly script?: boolean;
  /** Whether it has more than a form. */
  readonly wide?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** One header Set-Cookie each. */
  readonly cookies?: readonly string[];
}

/** A response with a page that the origins of the whitelist may frame; null for none. */
export function pageResponse(page: Page, iFrameWhitelist: string | null): HttpResponse {
  const { title, content, status = 200, script = false, wide = false, headers = {} } = page;
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
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...policyHeaders(iFrameWhitelist, { script }), ...headers },
    body: String(document),
    ...(page.cookies === undefined ? {} : { cookies: page.cookies }),
  };
}

/** Leads a browser on with GET. */
export const redirectTo = (path: string, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 303,
  headers: { location: path, 'referrer-policy': 'same-origin', ...headers },
  body: null,
});
