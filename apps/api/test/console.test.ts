import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openPeople } from './sign-in-people.ts';

const SCRIPT = 'console.log("the console");';

/** A folder with a built console. */
function buildConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(folder, 'assets', 'index-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'index-1.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets', 'index-1.js.map'), '{}');
  return folder;
}

async function openConsole() {
  // Cleo's capability permits nothing in this service.
  const people = await openPeople({ config: { consoleFolder: buildConsole() }, capabilities: ['CERT_ADMIN'] });
  await people.setPassword('i-ada');
  const browser = people.browse();
  return { ...people, browser };
}

test('every page of the console is the same document, behind a sign-in that leads back to it', async () => {
  const { browser, logIn } = await openConsole();
  const path = '/console/violations?level=High';
  expect((await browser.get(path)).location).toBe(`/login?to=${encodeURIComponent(path)}`);
  expect((await logIn(browser, 'ada', { to: path })).location).toBe(path);
  const pages = [await browser.get(path), await browser.get('/console/'), await browser.get('/console')];
  for (const { status, text } of pages) expect([status, text]).toEqual([200, '<!doctype html><title>Console</title>']);
});

test('the document runs scripts of this service alone, and with trusted types', async () => {
  const { browser, logIn } = await openConsole();
  await logIn(browser, 'ada');
  const { headers } = await browser.get('/console/');
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('in a frame the document may show the sign-in within itself', async () => {
  const { browse, logIn } = await openConsole();
  const browser = browse({ headers: { 'sec-fetch-dest': 'iframe' } });
  await logIn(browser, 'ada');
  const { headers } = await browser.get('/console/');
  expect(headers.get('content-security-policy')?.split('; ')).toContain("frame-src 'self'");
});

test('the policy of a document has at most 3,500 bytes, whatever may frame it', async () => {
  const { browse, logIn, call } = await openConsole();
  const body = { iFrameWhitelist: Array(50).fill('a'.repeat(63)).join(' ') };
  const headers = { 'x-service-experimental': 'true' };
  expect((await call('PUT', '/ui-metadata/v1/tenant', { body, headers })).status).toBe(200);
  const browser = browse({ headers: { 'sec-fetch-dest': 'iframe' } });
  await logIn(browser, 'ada');
  const policy = (await browser.get('/console/')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`frame-ancestors 'self' ${body.iFrameWhitelist};`);
  expect(Buffer.byteLength(policy)).toBeLessThanOrEqual(3_500);
});

test('files are kept by browsers for ever, and are sent compressed to those that take it', async () => {
  const { send } = await openConsole();
  const fetchFile = (encoding: string) =>
    send('/console/assets/index-1.js', { headers: { 'accept-encoding': encoding } });
  const plain = await fetchFile('gzip, br;q=0');
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT]);
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('vary')).toBe('accept-encoding');
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const packed = await fetchFile('gzip, deflate, br');
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(SCRIPT);
  expect(packed.headers.get('vary')).toBe('accept-encoding');
  expect(Number(packed.headers.get('content-length'))).toBe(brotliCompressSync(SCRIPT).length);
});

test.each([
  'index-2.js',
  'index-1.js.map',
  'index-1.js.br',
  '..%2Findex.html',
  '%2e%2e%2findex.html',
  '..%2Fassets%2Findex-1.js',
])('there is no file %s', async (name) => {
  const { send } = await openConsole();
  expect((await send(`/console/assets/${name}`)).status).toBe(404);
});

test('the start leads people whose capabilities permit something to the console, others to their account', async () => {
  const { browse, logIn, setPassword, browser } = await openConsole();
  await setPassword('i-bob');
  await logIn(browser, 'ada');
  expect((await browser.get('/')).location).toBe('/console/');
  await setPassword('i-cleo');
  for (const name of ['bob', 'cleo']) {
    const other = browse();
    await logIn(other, name);
    expect((await other.get('/')).location).toBe('/account');
  }
});

test.each([
  ['en', 'Back to the console'],
  ['de', 'Zurück zur Konsole'],
  ['vi', 'Quay lại bảng điều khiển'],
])(
  'the account leads people whose capabilities permit something back to the console, and others nowhere: %s',
  async (language, back) => {
    const { browse, logIn, setPassword } = await openConsole();
    await setPassword('i-bob');
    await setPassword('i-cleo');
    const accountOf = async (name: string) => {
      const browser = browse({ headers: { 'accept-language': language } });
      await logIn(browser, name);
      return (await browser.get('/account')).text;
    };
    expect(await accountOf('ada')).toContain(`<a href="/console/">${back}</a>`);
    for (const name of ['bob', 'cleo']) expect(await accountOf(name)).not.toContain('/console/');
  },
);

test('without a console its pages do not exist, and the start leads to the account, which has no way to it', async () => {
  const { browse, logIn, setPassword } = await openPeople();
  await setPassword('i-ada');
  const browser = browse();
  await logIn(browser, 'ada');
  expect((await browser.get('/')).location).toBe('/account');
  expect((await browser.get('/account')).text).not.toContain('/console/');
  expect((await browser.get('/console/')).status).toBe(404);
});
