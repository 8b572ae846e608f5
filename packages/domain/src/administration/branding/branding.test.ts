import { describe, expect, test } from 'vitest';
import { UNSET_BRANDING, updateBranding } from './branding.ts';
import { parseLogo } from './logo.ts';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string) => `<svg ${XMLNS}>${content}</svg>`;
const base64 = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`;
const percent = (text: string) => `data:image/svg+xml,${encodeURIComponent(text)}`;
const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n0', 'latin1').toString('base64')}`;

const failureOf = (update: Parameters<typeof updateBranding>[1]) => {
  const updated = updateBranding(UNSET_BRANDING, update);
  return updated.ok ? null : [updated.failure.type, updated.failure.causes.map(({ at }) => at)];
};

describe('an update', () => {
  test('replaces what is given, keeps what is left out, resets null and the text null', () => {
    const first = { title: 'One', logo: PNG, helpText: 'Call 1234.' };
    expect(updateBranding(UNSET_BRANDING, first)).toEqual({ ok: true, value: first });
    expect(updateBranding(first, { helpText: 'Two' })).toEqual({ ok: true, value: { ...first, helpText: 'Two' } });
    expect(updateBranding(first, { title: null, logo: 'null' })).toEqual({
      ok: true,
      value: { ...UNSET_BRANDING, helpText: 'Call 1234.' },
    });
  });

  test.each([
    ['an empty title', { title: '' }, 'LengthOutOfRange'],
    ['a long title', { title: 'x'.repeat(101) }, 'LengthOutOfRange'],
    ['a long text', { helpText: 'x'.repeat(501) }, 'LengthOutOfRange'],
    ['a control character', { helpText: 'a\u0007' }, 'IllegalValue'],
    ['a change of direction', { title: 'a\u202Eb' }, 'IllegalValue'],
    ['an address', { logo: 'https://example.com/logo.png' }, 'IllegalValue'],
    ['another type', { logo: 'data:text/html,x' }, 'IllegalValue'],
    ['a type of picture that is not taken', { logo: 'data:image/gif;base64,R0lGODdh' }, 'IllegalValue'],
    ['a PNG that is none', { logo: 'data:image/png;base64,AAAA' }, 'IllegalValue'],
    ['bytes that are no base64', { logo: 'data:image/png;base64,A' }, 'IllegalValue'],
    ['an empty logo', { logo: '' }, 'LengthOutOfRange'],
    [
      'a large logo',
      { logo: `data:image/png;base64,${Buffer.alloc(64 * 1024 + 1).toString('base64')}` },
      'LengthOutOfRange',
    ],
  ])('with %s is refused', (_, update, type) => {
    expect(failureOf(update)).toEqual([type, Object.keys(update)]);
  });
});

describe('an SVG', () => {
  test.each([
    ['with shapes', svg('<path d="M0 0h8v8z" fill="#123"/>')],
    ['with a gradient', svg('<linearGradient id="g"/><rect fill="url(#g)" style="stroke:url(\'#g\')"/>')],
    ['with a style', svg('<style>.a{fill:url(#g)}</style><style><![CDATA[.b > a{fill:red}]]></style>')],
    ['that uses a part of itself', svg('<g id="a"/><use xlink:href="#a"/><use href="#a"/>')],
    ['with pixels', svg('<image href="data:image/png;base64,AAAA"/>')],
    ['with a declaration and comments', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg('')}\n`],
    ['with text and references of XML', svg('<text>R&amp;D &#x41;&#65;</text><title>&lt;on&gt;</title>')],
    ['of an editor', svg('<sodipodi:namedview xmlns:sodipodi="http://sodipodi.sourceforge.net/x" pagecolor="#fff"/>')],
    ['that moves', svg('<rect><animate attributeName="x" values="0;8"/></rect>')],
    ['with a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g></s:g></s:svg>'],
  ])('%s is taken', (_, text) => {
    expect(failureOf({ logo: base64(text) })).toBeNull();
    expect(failureOf({ logo: percent(text) })).toBeNull();
  });

  test.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a script with a prefix', svg('<x:ScRiPt/>')],
    ['a handler', svg('<rect onload="alert(1)"/>')],
    ['a handler of the root', '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>'],
    ['a handler in other letters', svg("<rect ONCLICK='x'/>")],
    ['a foreign object', svg('<foreignObject><p/></foreignObject>')],
    ['parts of a web page', svg('<h:p xmlns:h="http://www.w3.org/1999/xhtml"/>')],
    ['a picture from elsewhere', svg('<image href="https://example.com/a.png"/>')],
    ['a picture of another scheme', svg('<image xlink:href="file:///etc/passwd"/>')],
    ['a relative reference', svg('<use href="other.svg#a"/>')],
    ['a link', svg('<a href="javascript:alert(1)"/>')],
    ['a link that is written with references', svg('<a href="&#106;avascript:alert(1)"/>')],
    ['a reference to another SVG', svg('<use href="data:image/svg+xml;base64,AAAA#a"/>')],
    ['a style from elsewhere', svg('<style>@import "https://example.com/a.css";</style>')],
    ['a font from elsewhere', svg('<style>@font-face{src:url(https://example.com/f)}</style>')],
    ['a style in a CDATA section', svg('<style><![CDATA[a{fill:url(//example.com/a)}]]></style>')],
    ['a style in parts', svg('<style>a{fill:ur<!-- -->l(//example.com/a)}</style>')],
    ['an escaped style', svg('<rect style="fill:\\75rl(//example.com/a)"/>')],
    ['a filling from elsewhere', svg('<rect fill="url(https://example.com/a.svg#g)"/>')],
    ['another base', svg('<g xml:base="https://example.com/"/>')],
    ['an animated reference', svg('<a><set attributeName="xlink:href" to="javascript:x"/></a>')],
    ['an animated handler', svg('<set attributeName="onclick" to="x"/>')],
    ['a style sheet beside it', `<?xml-stylesheet href="https://example.com/a.css"?>${svg('')}`],
    ['a document type', `<!DOCTYPE svg SYSTEM "https://example.com/a.dtd">${svg('')}`],
    ['an entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`],
    ['an unknown entity', svg('<text>&x;</text>')],
    ['a repeated attribute', svg('<rect x="1" x="2"/>')],
    ['an open element', svg('<g>')],
    ['a second root', svg('') + svg('')],
    ['another root', '<html/>'],
    ['no element', 'svg'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-7"?><svg/>'],
  ])('with %s is refused', (_, text) => {
    expect(failureOf({ logo: base64(text) })).toEqual(['IllegalValue', ['logo']]);
    expect(failureOf({ logo: percent(text) })).toEqual(['IllegalValue', ['logo']]);
  });

  test('that is no UTF-8 is refused', () => {
    const bytes = Buffer.from(`<svg>\xe9</svg>`, 'latin1').toString('base64');
    expect(failureOf({ logo: `data:image/svg+xml;base64,${bytes}` })).toEqual(['IllegalValue', ['logo']]);
  });
});

test('the bytes of a logo are those of the URL', () => {
  const text = svg('<text>Đăng nhập 👋</text>');
  for (const url of [base64(text), percent(text), `data:image/svg+xml;utf8,${text.replaceAll(' ', '%20')}`])
    expect(Buffer.from(parseLogo(url)?.bytes ?? []).toString()).toBe(text);
  for (let length = 0; length < 5; length++) {
    const bytes = Buffer.from([1, 254, 3, 255, 5]).subarray(0, length);
    const parsed = parseLogo(`data:image/png;base64,${bytes.toString('base64')}`);
    expect(Buffer.from(parsed?.bytes ?? [9])).toEqual(bytes);
  }
});
