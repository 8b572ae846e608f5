/**
 * RFC 6749, section 2.3.1, requires form-encoded credentials in Basic, but not every client complies. They count as encoded if
 * they have an escape and no character that a form would escape. A plus alone is no sign: it is frequent in secrets in base64.
 */
export function decodeBasicCredentials(id: string, secret: string): readonly [id: string, secret: string] {
  const text = `${id}:${secret}`;
  if (!/%/.test(text) || !/^(?:[A-Za-z0-9*._~+:-]|%[0-9A-Fa-f]{2})*$/.test(text)) return [id, secret];
  try {
    return [decodeFormText(id), decodeFormText(secret)];
  } catch {
    // The escapes are no UTF-8.
    return [id, secret];
  }
}

const decodeFormText = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
