const FIRST_SEGMENTS = ['login', 'sign-in-link', 'account', 'sign-out', 'language', 'console'];
const PATTERN = new RegExp(`^/(?:(?:${FIRST_SEGMENTS.join('|')})(?:/.*)?)?$`);

/** Whether a path is one of pages for people, such as that to which an identity provider leads back. */
export const isPagePath = (path: string): boolean => PATTERN.test(path);
