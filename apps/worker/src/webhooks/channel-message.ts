import { EVENT_TYPES, type EventType, type WEBHOOK_TEST_TYPE, type WebhookFormat } from '@access-admin/domain';

/** An event to be told in a channel. */
export interface ToldEvent {
  readonly type: EventType | typeof WEBHOOK_TEST_TYPE;
  /** Null where the event concerns no single resource of its kind. */
  readonly resourceId: string | null;
  /** JSON text. */
  readonly data: string;
}

/** The page of the console for each kind of resource, with `{id}` for its id. */
const PAGES = {
  ACCESS_MODEL: 'sources',
  AUTH_PROFILE: 'settings/auth-profiles',
  AUTH_USER: 'people/{id}',
  OAUTH_CLIENT: 'settings/clients',
  SOD_CHECK: 'audit-log',
  SOD_EXCEPTION: 'exceptions?open={id}',
  SOD_POLICY: 'policies/{id}',
  SOD_REPORT: 'reports/{id}',
  SOD_RESERVATION: 'audit-log?resource={id}',
  SOD_VIOLATION: 'violations?open={id}',
  UI_METADATA: 'settings/login-page',
  WEBHOOK: 'settings/webhooks',
} as const satisfies Readonly<Record<(typeof EVENT_TYPES)[EventType]['resource'], string>>;

/** The data of larger events, such as results of checks, is not parsed: it names nothing that a message tells. */
const PARSED_LENGTH_MAX = 65_536;

/**
 * The body of a message to a channel of Slack or Microsoft Teams: what has happened, the names that it concerns, and a link to the page of
 * the console at `source`, the base address of the tenant.
 */
export function writeChannelMessage(
  format: Exclude<WebhookFormat, 'cloudevents'>,
  event: ToldEvent,
  source: string,
): string {
  const title = event.type === 'webhook.test' ? 'A test of this webhook.' : EVENT_TYPES[event.type].summary;
  const names = namesIn(event).join(' · ');
  const link = linkTo(event, source);
  return JSON.stringify(format === 'slack' ? slackMessage(title, names, link) : teamsMessage(title, names, link));
}

function linkTo({ type, resourceId }: ToldEvent, source: string): string {
  const page = PAGES[type === 'webhook.test' ? 'WEBHOOK' : EVENT_TYPES[type].resource];
  // Without an id, the list of all.
  const path =
    resourceId === null ? page.replace(/[/?][^/?]*\{id\}$/, '') : page.replace('{id}', encodeURIComponent(resourceId));
  return `${source}/console/${path}`;
}

/** The names in an event, such as the person, the policy and the level of a violation. */
function namesIn({ data, resourceId }: ToldEvent): readonly string[] {
  const { target, policy, level, policyId, identityId, displayName, name, id } =
    data.length <= PARSED_LENGTH_MAX ? (JSON.parse(data) ?? {}) : {};
  const names = [
    target?.name ?? target?.id ?? identityId,
    policy?.name ?? policy?.id ?? policyId,
    level,
    displayName ?? name,
  ].filter((each) => typeof each === 'string' && each !== '');
  const fallback = resourceId ?? id;
  return names.length > 0 || typeof fallback !== 'string' ? names : [fallback];
}

/** Escapes what Slack's markup reads: a name cannot become a link or mention a channel. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const slackMessage = (title: string, names: string, link: string) => ({
  text: [`${escapeSlack(title)}${names === '' ? '' : `\n${escapeSlack(names)}`}`, `<${link}|Open the console>`].join(
    '\n',
  ),
});

/** An adaptive card in a message. Text runs are not read as Markdown: a name cannot become a link. */
const teamsMessage = (title: string, names: string, link: string) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: title, weight: 'Bolder' }] },
          ...(names === '' ? [] : [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: names }] }]),
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'Open the console', url: link }],
      },
    },
  ],
});
