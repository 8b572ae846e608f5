/** The accepted texts of `WEBHOOK_TARGETS`, for messages. */
export const WEBHOOK_TARGETS_RULE =
  'http or https origins with commas between them, for example http://127.0.0.1:9000,https://siem.corp.example:8088';

/** Parses the origins that webhooks may have although they are not public; null when the text does not follow the rule. */
export function parseWebhookTargets(text: string): ReadonlySet<string> | null {
  const origins = new Set<string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const url = URL.parse(part);
    const isOrigin =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      [url.origin, `${url.origin}/`].includes(url.href) &&
      !/[?#@]/.test(part);
    if (!isOrigin) return null;
    origins.add(url.origin);
  }
  return origins;
}
