import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { tenantBrandingUpdate } from './branding.ts';

/** The beginning of a PNG whose header says that it has this size, and zeros behind it. */
function pngOf(width: number, height: number, length = 64): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const PNG = dataUrl(pngOf(8, 8));

const failureOf = (update: object) => {
  const updated = validate(tenantBrandingUpdate, update);
  return updated.ok ? null : [updated.failure.type, updated.failure.causes.map(({ at }) => at)];
};

describe('an update', () => {
  test('may have all properties or none; null and the text null reset', () => {
    const first = { title: 'One', logo: PNG, helpText: 'Call 1234.' };
    expect(validate(tenantBrandingUpdate, first)).toEqual({ ok: true, value: first });
    expect(validate(tenantBrandingUpdate, { title: null, logo: 'null' })).toEqual({
      ok: true,
      value: { title: null, logo: null },
    });
  });

  test.each([
    ['an empty title', { title: '' }, 'LengthOutOfRange'],
    ['a long title', { title: 'x'.repeat(101) }, 'LengthOutOfRange'],
    ['a long text', { helpText: 'x'.repeat(501) }, 'LengthOutOfRange'],
    ['a control character', { helpText: 'a\u0007' }, 'IllegalValue'],
    ['a change of direction', { title: 'a\u202Eb' }, 'IllegalValue'],
    ['an empty logo', { logo: '' }, 'LengthOutOfRange'],
  ])('with %s is refused', (_, update, type) => {
    expect(failureOf(update)).toEqual([type, Object.keys(update)]);
  });
});

describe('a logo', () => {
  test.each([
    ['of one pixel', pngOf(1, 1)],
    ['of the largest width and height', pngOf(1024, 1024)],
    ['of the largest size', pngOf(8, 8, 64 * 1024)],
    ['without padding in base64', pngOf(8, 8, 66)],
    ['with one digit of padding', pngOf(8, 8, 65)],
  ])('%s is taken', (_, bytes) => {
    expect(failureOf({ logo: dataUrl(bytes) })).toBeNull();
  });

  const svg = (text: string) => dataUrl(Buffer.from(text), 'image/svg+xml');

  test.each([
    ['that is an address', 'https://example.com/logo.png', 'IllegalValue'],
    ['of another type', 'data:text/html,x', 'IllegalValue'],
    ['that is a GIF', 'data:image/gif;base64,R0lGODdh', 'IllegalValue'],
    ['that is a JPEG', dataUrl(Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg'), 'IllegalValue'],
    ['that is a WebP', dataUrl(Buffer.from('RIFF0000WEBP'), 'image/webp'), 'IllegalValue'],
    ['that is an SVG', svg('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'IllegalValue'],
    ['that is an SVG as text', 'data:image/svg+xml,%3Csvg/%3E', 'IllegalValue'],
    ['that is an SVG and says PNG', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'IllegalValue'],
    ['that is a PNG and says SVG', dataUrl(pngOf(8, 8), 'image/svg+xml'), 'IllegalValue'],
    ['that ends before its size', dataUrl(pngOf(8, 8).subarray(0, 23)), 'IllegalValue'],
    [
      'with no header at first',
      dataUrl(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIDAT00000000', 'latin1')),
      'IllegalValue',
    ],
    ['that is empty', 'data:image/png;base64,', 'IllegalValue'],
    ['that is no base64', `${PNG.slice(0, -3)}*==`, 'IllegalValue'],
    ['that is cut in base64', PNG.slice(0, -1), 'IllegalValue'],
    ['with a space', `${PNG} `, 'IllegalValue'],
    ['of no width', dataUrl(pngOf(0, 8)), 'LengthOutOfRange'],
    ['that is too wide', dataUrl(pngOf(1025, 1)), 'LengthOutOfRange'],
    ['that is too high', dataUrl(pngOf(1, 1025)), 'LengthOutOfRange'],
    ['of the most pixels of a PNG', dataUrl(pngOf(0xff_ff_ff_ff, 0xff_ff_ff_ff)), 'LengthOutOfRange'],
    ['of too many bytes', dataUrl(pngOf(8, 8, 64 * 1024 + 1)), 'LengthOutOfRange'],
    ['of megabytes', dataUrl(pngOf(8, 8, 1024 * 1024)), 'LengthOutOfRange'],
  ])('%s is refused', (_, logo, type) => {
    expect(failureOf({ logo })).toEqual([type, ['logo']]);
  });
});
