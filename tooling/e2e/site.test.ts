import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { freePort, type OpenChromium, openChromium, ROOT, startProcess } from '@access-admin/harness';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { findingsOf } from './axe.ts';
import { skipWithoutChromium } from './browser.ts';

const SITE = 'tooling/site/dist/site/';
const WIDTHS = [360, 800, 1440] as const;

const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const program = [process.execPath, '--conditions=@access-admin/source', 'tooling/site/build-site.ts'] as const;
const site = startProcess([...program, '--serve', '--port', String(port)], { cwd: ROOT, env: {} });

let chromium: OpenChromium | null;

beforeAll(async () => {
  chromium = await openChromium();
  const answers = async () => expect((await fetch(address)).status, site.output()).toBe(200);
  await vi.waitFor(answers, { timeout: 240_000, interval: 250 });
});

afterAll(async () => {
  await Promise.all([site[Symbol.asyncDispose](), chromium?.[Symbol.asyncDispose]()]);
});

test('every link of the built pages leads to a page and a heading of the site', () => {
  const names = readdirSync(join(ROOT, SITE), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const pages = new Map(names.map((name) => [name, readFileSync(join(ROOT, SITE, name), 'utf8')]));
  expect(pages.size).toBeGreaterThan(100);
  const broken = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/<a [^>]*\bhref="(?!https?:|mailto:)([^"]+)"/g)].flatMap(([, href = '']) => {
      const [path = '', hash] = decodeURI(href).split('#');
      const resolved = path === '' ? `/${name}` : posix.join('/', posix.dirname(name), path);
      const file = (path.startsWith('/') ? path : resolved).replace(/\/$/, '/index.html').slice(1);
      const target = pages.get(file);
      const isThere = target !== undefined && (!hash || target.includes(`id="${hash}"`));
      return isThere ? [] : [`${name}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('the search finds an operation, without a request to another host', async (context) => {
  skipWithoutChromium(context);
  const page = await openWindow({ width: 1440, height: 900 });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(address);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('signed receipt of a verification');
  await page.getByRole('option').first().click();
  await page.waitForURL(/reference\/api\/sod-violations/);
  expect([...hosts].filter((host) => host !== '' && host !== `127.0.0.1:${port}`)).toEqual([]);
});

test.for(['/', '/start/first-steps.html', '/reference/api/sod-violations.html', '/operations/performance.html'])(
  '%s fits its window and has no finding of axe',
  async (path, context) => {
    skipWithoutChromium(context);
    for (const width of WIDTHS) {
      const page = await openWindow({ width, height: 900 });
      await page.goto(address + path, { waitUntil: 'networkidle' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await findingsOf(page), `${width} pixels`).toEqual([]);
    }
  },
);

async function openWindow(viewport: { readonly width: number; readonly height: number }) {
  if (chromium === null) throw new Error('there is no browser');
  const page = await chromium.open({ viewport });
  onTestFinished(() => page.context().close());
  return page;
}
