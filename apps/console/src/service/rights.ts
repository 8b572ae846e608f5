import type { Capability, CurrentSession } from '@access-admin/client';

const ADMINISTRATORS = ['ORG_ADMIN'] as const;
const POLICY_MANAGERS = ['ORG_ADMIN', 'POLICY_ADMIN'] as const;
const HELPERS = ['ORG_ADMIN', 'HELPDESK'] as const;
const AUDITORS = ['ORG_ADMIN', 'das:ui-auditor'] as const;
const READERS = [...POLICY_MANAGERS, 'das:ui-auditor'] as const;
const SETTINGS = [...AUDITORS, 'HELPDESK'] as const;

/** The capabilities, any one of each list, that give a right by which pages decide what they show and offer. A test names the operations of each. */
export const NEEDED = {
  // To be shown something by a page. Pages that are not here show something to everybody.
  exceptions: READERS,
  'what-if': POLICY_MANAGERS,
  policies: READERS,
  matrix: READERS,
  controls: READERS,
  people: [...READERS, 'HELPDESK'],
  access: [...READERS, 'HELPDESK'],
  sources: ADMINISTRATORS,
  reports: READERS,
  'audit-log': AUDITORS,
  settings: SETTINGS,
  // To be told by events what has changed.
  events: READERS,
  // To read the violations of everybody, to reassign one, and to ask for and decide on exceptions.
  register: READERS,
  reassign: POLICY_MANAGERS,
  decide: POLICY_MANAGERS,
  // To change policies and controls, and to start reports and read checks.
  change: POLICY_MANAGERS,
  ask: POLICY_MANAGERS,
  // To create people, and to read and change what belongs to a person.
  create: ADMINISTRATORS,
  authUser: [...HELPERS, 'das:ui-auditor'],
  capabilities: ADMINISTRATORS,
  credentials: HELPERS,
  sessions: ADMINISTRATORS,
  // The sections of the settings, and what is in them.
  'auth-profiles': SETTINGS,
  profiles: AUDITORS,
  simulator: HELPERS,
  'sign-in': HELPERS,
  'login-page': ADMINISTRATORS,
  clients: ADMINISTRATORS,
  webhooks: ADMINISTRATORS,
  configure: ADMINISTRATORS,
} as const satisfies Readonly<Record<string, readonly Capability[]>>;

export type Right = keyof typeof NEEDED;

type Holder = Pick<CurrentSession, 'capabilities'>;

/** The capabilities one of which the session lacks for a right; null where it has one. The service decides; pages say it in advance. */
export function missingRight(right: Right, { capabilities }: Holder): readonly Capability[] | null {
  const needed: readonly Capability[] = NEEDED[right];
  return needed.some((each) => capabilities.includes(each)) ? null : needed;
}

/** The capabilities one of which the session lacks, so that a page can show it nothing; null where it has one. */
export const missingForPage = (
  page: Right | 'overview' | 'violations',
  holder: Holder,
): readonly Capability[] | null => (page === 'overview' || page === 'violations' ? null : missingRight(page, holder));
