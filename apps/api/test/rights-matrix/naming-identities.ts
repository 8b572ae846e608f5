/** The first segments of paths whose ids are those of identities. */
export const NAMING_IDENTITIES: readonly string[] = ['auth-users', 'identities'];
