import { expect, test } from 'vitest';
import { rightsOn } from './rights.ts';

const ref = (id: string) => ({ type: 'IDENTITY' as const, id, name: id });
const violation = { target: ref('target'), owner: ref('owner') };

test('a policy administrator does everything, except for the own access', () => {
  const capabilities = ['POLICY_ADMIN'] as const;
  const all = { except: 'YES', mayReassign: true, mayLookUp: true };
  expect(rightsOn(violation, { identityId: 'other', capabilities })).toEqual(all);
  expect(rightsOn(violation, { identityId: 'target', capabilities })).toEqual({ ...all, except: 'OWN' });
});

test('an owner without a capability reassigns, and looks nobody up', () => {
  const owner = { identityId: 'owner', capabilities: [] };
  expect(rightsOn(violation, owner)).toEqual({ except: 'NO', mayReassign: true, mayLookUp: false });
  expect(rightsOn({ target: violation.target }, owner).mayReassign).toBe(false);
});

test('an auditor changes nothing', () => {
  const auditor = { identityId: 'other', capabilities: ['das:ui-auditor'] } as const;
  expect(rightsOn(violation, auditor)).toEqual({ except: 'NO', mayReassign: false, mayLookUp: true });
});
