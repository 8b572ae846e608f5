/** The first segments of paths whose ids are those of identities. */
export const IDENTITY_GROUPS: readonly string[] = ['auth-users', 'identities'];
