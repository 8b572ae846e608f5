import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bindNameFault, bindNameOf, escapeDnValue } from './bind-name.ts';

const DN = 'uid={username},ou=people,dc=example,dc=org';

test.each([
  [DN, 'ada', 'uid=ada,ou=people,dc=example,dc=org'],
  [DN, 'ada,ou=admins', 'uid=ada\\2cou\\3dadmins,ou=people,dc=example,dc=org'],
  [DN, 'a+cn=b', 'uid=a\\2bcn\\3db,ou=people,dc=example,dc=org'],
  [DN, '#04024869', 'uid=\\2304024869,ou=people,dc=example,dc=org'],
  [DN, '\\2c"<>;=*()', 'uid=\\5c2c\\22\\3c\\3e\\3b\\3d\\2a\\28\\29,ou=people,dc=example,dc=org'],
  [DN, 'ada l', 'uid=ada\\20l,ou=people,dc=example,dc=org'],
  [DN, '$&', 'uid=\\24\\26,ou=people,dc=example,dc=org'],
  [DN, '{username}', 'uid=\\7busername\\7d,ou=people,dc=example,dc=org'],
  [DN, 'zoë', 'uid=zoë,ou=people,dc=example,dc=org'],
  ['{username}@corp.example', 'ada.l-1_2', 'ada.l-1_2@corp.example'],
  ['CORP\\{username}', 'ada', 'CORP\\ada'],
])('%s with %s is %s', (template, username, name) => {
  expect(bindNameOf(template, username)).toBe(name);
});

test.each([
  '',
  ' ada',
  'ada ',
  'a  da',
  'a\0da',
  'a\nda',
  'a\u202eda',
  'a\u200bda',
  '\ud800',
  'ａｄａ',
  'ad\u00aa',
  'o\ufb03ce',
  'ada\u00a0l',
  'ada\u1680l',
  'ada\u2028l',
  'ada\u034f',
  'ada\ufe0f',
  'a\u115fda',
  'ada\ufffc',
  'ada\u180b',
  'a\u00adda',
  'ada\u{e0100}',
])('the username %j names nothing in a directory', (username) => {
  expect(bindNameOf(DN, username)).toBeNull();
});

test.each(['ada@other.example', 'CORP\\ada', 'cn=ada', 'ada,dc=x', 'ada*', 'corp.example/ada', 'zoë', 'a'.repeat(65)])(
  'a name of Active Directory has no place for %s',
  (username) => {
    expect(bindNameOf('{username}@corp.example', username)).toBeNull();
    expect(bindNameOf('CORP\\{username}', username)).toBeNull();
  },
);

test.each([
  'uid=ada,dc=example',
  '{username}',
  'uid={username}{username},dc=example',
  'uid=x{username},dc=example',
  'uid={username}x,dc=example',
  'uid={username},',
  '{username}=x,dc=example',
  '{username}@corp.example,dc=x',
])('%s is no template', (template) => {
  expect(bindNameFault(template)).not.toBeNull();
});

test('an escaped value has no character with a meaning, and says the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const escaped = escapeDnValue(value);
      expect(escaped.replaceAll(/\\[0-9a-f]{2}/g, '')).not.toMatch(/[\s,+"\\<>;=#*()]/);
      const bytes = escaped
        .split(/(\\[0-9a-f]{2})/)
        .map((part) => (/^\\/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8')));
      expect(Buffer.concat(bytes).toString('utf8')).toBe(Buffer.from(value, 'utf8').toString('utf8'));
    }),
  );
});
