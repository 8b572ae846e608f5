import { expect, test } from 'vitest';
import { storedIdentity } from '../../test/import-world.ts';
import { planOf, SMALL_WORLD } from '../../test/small-world.ts';
import type { Identity } from '../access/model/records.ts';
import { signInEndsOf } from './sign-in-ends.ts';

const none = planOf([]).upserts;

/** What ends when an import writes the second of two states of an identity. */
function endsOf(before: Partial<Identity> | null, after: Partial<Identity>) {
  const stored = new Map(before === null ? [] : [['i-9', storedIdentity('i-9', before)]]);
  const upserts = { ...none, identity: [storedIdentity('i-9', after)] };
  return signInEndsOf({ upserts }, { stored: { ...SMALL_WORLD.stored, identity: stored } });
}

test.each<[string, string, Partial<Identity> | null, Partial<Identity>]>([
  ['that gains a capability', 'promoted', { capabilities: ['HELPDESK'] }, { capabilities: ['HELPDESK', 'ORG_ADMIN'] }],
  ['that trades a capability', 'promoted', { capabilities: ['HELPDESK'] }, { capabilities: ['ORG_ADMIN'] }],
  ['with another uid', 'renamed', { uid: 'bea' }, { uid: 'bee' }],
  ['that becomes inactive', 'deactivated', {}, { active: false }],
  ['that becomes active', 'neither', { active: false }, {}],
  ['with a uid in another case', 'renamed', { uid: 'bea' }, { uid: 'Bea' }],
  [
    'with another uid and more capabilities',
    'promoted and renamed',
    { uid: 'bea' },
    { uid: 'b', capabilities: ['ORG_ADMIN'] },
  ],
  ['that loses a capability', 'neither', { capabilities: ['HELPDESK'] }, { capabilities: [] }],
  ['with another name', 'neither', { displayName: 'Bea' }, { displayName: 'Bee' }],
  ['that is new', 'neither', null, { capabilities: ['ORG_ADMIN'] }],
])('an identity %s is %s', (_, what, before, after) => {
  expect(endsOf(before, after)).toEqual({
    promoted: what.includes('promoted') ? ['i-9'] : [],
    renamed: what.includes('renamed') ? ['i-9'] : [],
    deactivated: what.includes('deactivated') ? ['i-9'] : [],
  });
});
