import type { Capability, CurrentSession } from '@access-admin/client';

const READERS: readonly Capability[] = ['ORG_ADMIN', 'POLICY_ADMIN', 'das:ui-auditor'];

/** The capabilities to which a page can show something, any one of each list. Pages that are not named show something to everybody. */
const NEEDED = {
  exceptions: READERS,
  'what-if': ['ORG_ADMIN', 'POLICY_ADMIN'],
  policies: READERS,
  matrix: READERS,
  controls: READERS,
  people: [...READERS, 'HELPDESK'],
  reports: READERS,
  'audit-log': ['ORG_ADMIN', 'das:ui-auditor'],
  settings: ['ORG_ADMIN', 'das:ui-auditor', 'HELPDESK'],
} as const satisfies Readonly<Record<string, readonly Capability[]>>;

/** The capabilities one of which the session lacks, so that a page can show it nothing; null where it has one. */
export function missingForPage(
  page: string,
  { capabilities }: Pick<CurrentSession, 'capabilities'>,
): readonly Capability[] | null {
  const needed = Object.entries(NEEDED).find(([name]) => name === page)?.[1];
  return needed === undefined || needed.some((each) => capabilities.includes(each)) ? null : needed;
}
