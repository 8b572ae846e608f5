/** The tags of the OpenAPI document, which are also the pages of the reference. */
export const GROUPS = {
  'Auth Users': 'The capabilities and the credentials of people.',
  'Auth Profiles': 'How the people of an identity profile sign in.',
  'Sign-in Settings': 'Lockout, sessions and networks of the tenant.',
  'Sign-in': 'Whether a person may sign in now, and why.',
  Sessions: 'The sessions of people who are signed in.',
  'SOD Violations': 'The policies that an access request would violate: at once, or as a check with a receipt.',
  AuthZEN:
    'Decisions on access, one by one or many, and searches for all that they permit: AuthZEN Authorization API 1.0.',
  'SOD Reports': 'What many identities violate, or would violate after a change.',
  Violations: 'The register of present and ended violations.',
  'SOD Policies': 'Separation-of-duties policies.',
  'SOD Exceptions': 'Violations that are permitted for a time.',
  'SOD Reservations': 'Access that waits for an approval.',
  Controls: 'Compensating controls.',
  'UI Metadata': 'Labels of the sign-in form, and the origins that may embed the pages.',
  Branding: 'The title, logo and help text of the pages.',
  'OAuth Clients': 'The clients that get tokens.',
  Tenants: 'The tenants of the service.',
  'Access Model': 'Import and export of everything that decisions depend on.',
  'Look-ups': 'The records of the access model, one by one and in lists.',
  Sources: 'The systems that data comes from, and their accounts.',
  'Audit Events': 'Who has changed what, and who was refused.',
  Events: 'What happens in the tenant, as CloudEvents.',
  Webhooks: 'The delivery of events to other services.',
  Service: 'Tokens, keys, health and documents; without a token.',
} as const;

/** The OpenAPI tag of an operation. */
export type OperationGroup = keyof typeof GROUPS;
