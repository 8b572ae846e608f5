import { LANGUAGES } from '@access-admin/languages';
import { html } from 'hono/html';
import { pathAndQueryOf, targetOf } from '../../http/target.ts';
import { ICON, SCRIPT, STYLESHEET } from './assets.ts';
import type { PageContext } from './context.ts';
import type { Page } from './page.ts';
import { HiddenField } from './parts.tsx';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

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
  c.set('needs', { script });
  const document = (
    <html lang={speech.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} – ${brand.title}`}</title>
        <link rel="icon" href={ICON.path} type="image/svg+xml" />
        <link rel="stylesheet" href={STYLESHEET.path} />
        {script && <script src={SCRIPT.path} defer />}
      </head>
      <body>
        <header>
          <BrandMark {...brand} />
        </header>
        <main class={wide ? 'wide' : undefined}>
          <h1>{title}</h1>
          {content}
          {helpText !== null && (
            <p class="help" dir="auto">
              {helpText}
            </p>
          )}
        </main>
        {path !== null && <LanguageChoice path={path} speech={speech} />}
      </body>
    </html>
  );
  return c.html(html`<!doctype html>${document}`, status, HTML);
}

const BrandMark = ({ title, logo }: Brand) => (
  <p class={logo === null ? 'brand' : 'brand own'} dir="auto">
    {logo !== null && <img src={logo} alt="" />}
    {title}
  </p>
);

/** A button for each language, by which the page at this path is shown in it. */
function LanguageChoice({ path, speech: { language, of } }: { readonly path: string; readonly speech: Speech }) {
  return (
    <footer>
      <form method="post" action={LANGUAGE_PATH} class="languages" aria-label={of(PAGE_TEXTS).text('language')}>
        <HiddenField name="to" value={path} />
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <button name="language" value={tag} lang={tag} aria-current={tag === language ? 'true' : undefined}>
            {name}
          </button>
        ))}
      </form>
    </footer>
  );
}

/** Leads a browser on with GET. */
export function redirectTo(c: PageContext, path: string): Response {
  c.header('referrer-policy', 'same-origin');
  return c.redirect(path, 303);
}
