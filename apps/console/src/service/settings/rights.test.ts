import { expect, test } from 'vitest';
import { missingForSettings } from './rights.ts';

test('an administrator changes all settings, others read what concerns them', () => {
  expect(missingForSettings('change', { capabilities: ['ORG_ADMIN'] })).toBe(null);
  expect(missingForSettings('change', { capabilities: ['HELPDESK', 'das:ui-auditor'] })).toEqual(['ORG_ADMIN']);
  expect(missingForSettings('sign-in', { capabilities: ['HELPDESK'] })).toBe(null);
  expect(missingForSettings('profiles', { capabilities: ['HELPDESK'] })).toEqual(['ORG_ADMIN', 'das:ui-auditor']);
  expect(missingForSettings('simulator', { capabilities: ['das:ui-auditor'] })).toEqual(['ORG_ADMIN', 'HELPDESK']);
});
