/** The id and the secret of a client. */
export type BasicCredentials = readonly [id: string, secret: string];

/**
 * What credentials in Basic may mean, the likelier first. RFC 6749, section 2.3.1, requires them to be form-encoded, but not every
 * client complies: a text that can be encoded can also be meant as it is. One with an escape is more likely encoded; a plus alone
 * is no sign, as it is frequent in secrets in base64.
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
