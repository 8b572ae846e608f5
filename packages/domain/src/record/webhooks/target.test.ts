import { describe, expect, test } from 'vitest';
import { addressInHost, validateTarget } from './target.ts';

const TARGETS = new Set(['http://127.0.0.1:9000', 'https://siem.corp.example:9443']);
const validate = (text: string) => validateTarget(new URL(text), TARGETS);

const LEGAL = [
  'https://hooks.example.com/a?b=c',
  'https://hooks.example.com:8443/',
  'https://hooks.example.com:443',
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]/',
  'https://xn--bcher-kva.example/',
  'http://127.0.0.1:9000/any?path',
  'https://siem.corp.example:9443/x',
  'https://localhost.example.com/',
];

const ILLEGAL = [
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:80/',
  'https://hooks.example.com:8080/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://%31%32%37.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://127。0。0。1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[::]/',
  'https://0/',
  'https://169.254.169.254/latest',
  'https://[fd00:ec2::254]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://127.0.0.1:9000/',
  'http://127.0.0.1:9001/',
  'http://127.0.0.1/',
  'http://siem.corp.example:9443/',
  'https://siem.corp.example:9444/',
];

describe('the URL of a webhook', () => {
  for (const url of LEGAL) test(`may be ${url}`, () => expect(validate(url)).toBeNull());
  for (const url of ILLEGAL)
    test(`may not be ${url}`, () => expect(validate(url)).toMatchObject({ type: 'IllegalValue' }));

  test.each([
    ['http://hooks.example.com/', 'must be an https address, or its origin be listed in WEBHOOK_TARGETS'],
    ['https://hooks.example.com:22/', 'must have port 443 or 8443, or its origin be listed in WEBHOOK_TARGETS'],
    ['https://localhost/', 'must not name this machine, unless its origin is listed in WEBHOOK_TARGETS'],
  ])('the refusal of %s tells what to do', (url, text) => {
    expect(validate(url)?.causes).toMatchObject([{ text }]);
  });

  test('a refusal says what kind of address is not public', () => {
    const [cause] = validate('https://127.0.0.1/')?.causes ?? [];
    expect(cause?.text).toContain('loopback');
  });

  test('has an address or a name', () => {
    expect(addressInHost(new URL('https://[::1]/').hostname)).toBe('::1');
    expect(addressInHost(new URL('https://2130706433/').hostname)).toBe('127.0.0.1');
    expect(addressInHost('1.example.com')).toBeNull();
  });
});
