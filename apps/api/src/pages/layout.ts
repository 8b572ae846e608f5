import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '@access-admin/languages';
import { html } from 'hono/html';
import { pathAndQueryOf, targetOf } from '../http/target.ts';
import { createAsset } from './assets.ts';
import type { PageContext } from './context.ts';
import { ICON_ASSET } from './icon.ts';
import type { Html, Page } from './page.ts';
import { hiddenField } from './parts.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import type { Speech } from './speech.ts';
import { STYLE } from './style.ts';
import { PAGE_TEXTS } from './texts.ts';

/** The look that the pages share with the console. Among the sources it is in its package; a bundle has it beside itself. */
const LOOK = readFileSync(
  import.meta.url.endsWith('.ts')
    ? fileURLToPath(import.meta.resolve('@access-admin/look'))
    : join(import.meta.dirname, 'look.css'),
  'utf8',
);

const STYLE_ASSET = createAsset('pages.css', 'text/css', `${LOOK}${STYLE}`);
const SCRIPT_ASSET = createAsset('passkeys.js', 'text/javascript', PASSKEY_SCRIPT);

/** The style, the script and the icon of all pages. */
export const PAGE_ASSETS = [STYLE_ASSET, SCRIPT_ASSET, ICON_ASSET];

/** The type of pages, in the spelling of all texts of this service. */
export const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Where the form goes that chooses a language. */
export const LANGUAGE_PATH = '/language';

/** The path of the request with its query, which shows its page again. */
export const ownAddress = (c: PageContext): string => pathAndQueryOf(targetOf(c));

/** Where the logos of tenants are, each by its digest. */
export const LOGO_PATH = '/branding/logo/';

const PRODUCT = 'Access Admin';

/** Whose pages these are, as their head shows it. */
export interface Brand {
  readonly title: string;
  /** Null without one. */
  readonly logo: string | null;
}

/** The brand of the tenant of a page; that of this product before the tenant is known. */
export function brandOf(c: PageContext): Brand {
  const { title, logoDigest } = c.get('branding') ?? { title: null, logoDigest: null };
  return { title: title ?? PRODUCT, logo: logoDigest === null ? null : `${LOGO_PATH}${logoDigest}` };
}

/** Answers with a page, which the origins of the tenant's whitelist may frame. */
export function renderPage(c: PageContext, page: Page): Response | Promise<Response> {
  const { title, content, path, status = 200, script = false, wide = false } = page;
  const speech = c.get('speech');
  const brand = brandOf(c);
  const helpText = wide ? null : (c.get('branding')?.helpText ?? null);
  const document = html`<!doctype html>
<html lang="${speech.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${brand.title}</title>
<link rel="icon" href="${ICON_ASSET.path}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_ASSET.path}">
${script && html`<script src="${SCRIPT_ASSET.path}" defer></script>`}
</head>
<body>
<header>${brandMark(brand)}</header>
<main${wide && html` class="wide"`}>
<h1>${title}</h1>
${content}
${helpText !== null && html`<p class="help" dir="auto">${helpText}</p>`}
</main>
${path !== null && languageChoice(path, speech)}
</body>
</html>
`;
  c.set('needs', { script });
  return c.html(document, status, HTML);
}

const brandMark = ({ title, logo }: Brand): Html =>
  logo === null
    ? html`<p class="brand" dir="auto">${title}</p>`
    : html`<p class="brand own" dir="auto"><img src="${logo}" alt="">${title}</p>`;

/** A button for each language, by which the page at this path is shown in it. */
function languageChoice(path: string, { language, of }: Speech): Html {
  const { text } = of(PAGE_TEXTS);
  return html`<footer><form method="post" action="${LANGUAGE_PATH}" class="languages" aria-label="${text('language')}">
${hiddenField('to', path)}
${Object.entries(LANGUAGES).map(
  ([tag, name]) =>
    html`<button name="language" value="${tag}" lang="${tag}"${tag === language && html` aria-current="true"`}>${name}</button>
`,
)}</form></footer>`;
}

/** Leads a browser on with GET. */
export function redirectTo(c: PageContext, path: string): Response {
  c.header('referrer-policy', 'same-origin');
  return c.redirect(path, 303);
}
