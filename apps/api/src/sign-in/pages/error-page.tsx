import { LOGIN_TEXTS } from '@access-admin/languages';
import { type ApiFailure, headersOf, refusalOf, statusOf } from '../../http/problem.ts';
import type { PageContext } from './context.ts';
import { ownAddress, renderPage } from './layout.tsx';
import { PAGE_TEXTS, type PageKey } from './texts.ts';

const TITLES: Readonly<Record<number, PageKey>> = {
  400: 'refused.400',
  403: 'refused.403',
  404: 'refused.404',
  405: 'refused.405',
  410: 'refused.410',
  413: 'refused.413',
  415: 'refused.400',
  429: 'refused.429',
  500: 'refused.500',
  503: 'refused.503',
};

const ADVICE: Readonly<Record<number, PageKey>> = {
  404: 'advice.404',
  405: 'advice.405',
  429: 'advice.429',
  500: 'advice.500',
  503: 'advice.503',
};

export interface RefusedPage {
  /** What is wrong, in the language of the page; null where its title says it. The causes of a failure are for programs. */
  readonly text?: string | null;
  /** In place of the title of the status. */
  readonly title?: string | null;
  /** For the log alone. */
  readonly reason?: string | null;
}

/** Answers a failure with a page, with the status, the headers and the log line that an operation would have. */
export function refusePage(
  c: PageContext,
  failure: ApiFailure,
  { text: what = null, title = null, reason = null }: RefusedPage = {},
): Response | Promise<Response> {
  const state = c.env.state;
  state.refusal = refusalOf(failure, reason);
  const status = statusOf(failure);
  for (const [name, value] of Object.entries(headersOf(failure))) c.header(name, value);
  const { of } = c.get('speech');
  const { text, rich } = of(PAGE_TEXTS);
  const advice = failure.type === 'OutcomeUnknown' ? 'advice.OutcomeUnknown' : ADVICE[status];
  return renderPage(c, {
    title: title ?? text(TITLES[status] ?? 'refused.500'),
    path: c.req.method === 'GET' ? ownAddress(c) : '/login',
    status,
    content: (
      <div class="card">
        {what !== null && <p>{what}</p>}
        {advice !== undefined && title === null && <p>{text(advice)}</p>}
        <p class="muted">{rich('refused.number', { number: <code>{state.trackingId}</code> })}</p>
        <p>
          <a href="/login">{of(LOGIN_TEXTS).text('submit')}</a>
        </p>
      </div>
    ),
  });
}
