const FIRST_SEGMENTS = ['login', 'sign-in-link', 'account', 'sign-out', 'language', 'console'];
const PATTERN = new RegExp(`^/(?:(?:${FIRST_SEGMENTS.join('|')})(?:/.*)?)?$`);

/** True for the path of a page, such as the redirect URI of an identity provider. */
export const isPagePath = (path: string): boolean => PATTERN.test(path);
