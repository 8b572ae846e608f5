/** The id and the secret of a client. */
export type BasicCredentials = readonly [id: string, secret: string];

/** The Basic credentials of an `Authorization` header, as they were sent; null for a header without. */
export function parseBasic(authorization: string): BasicCredentials | null {
  const token = /^ *basic +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1] ?? '';
  const [, id, secret] = /^([^:]*):(.*)$/.exec(Buffer.from(token, 'base64').toString()) ?? [];
  return id === undefined || secret === undefined ? null : [id, secret];
}

/**
 * Decodes Basic credentials in each possible way, the likeliest first. RFC 6749, section 2.3.1, requires form encoding, but not
 * every client complies, so valid form encoding may also be meant literally. A percent escape makes encoding more likely; a plus
 * does not, because base64 secrets often contain one.
 */
export function readBasicCredentials(id: string, secret: string): readonly BasicCredentials[] {
  const asSent: BasicCredentials = [id, secret];
  const text = `${id}:${secret}`;
  if (!/[%+]/.test(text) || !/^(?:[A-Za-z0-9*._~+:-]|%[0-9A-Fa-f]{2})*$/.test(text)) return [asSent];
  try {
    const decoded: BasicCredentials = [decodeFormText(id), decodeFormText(secret)];
    return text.includes('%') ? [decoded, asSent] : [asSent, decoded];
  } catch {
    // The escapes are no UTF-8.
    return [asSent];
  }
}

const decodeFormText = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
