import { html } from 'hono/html';
import { type ApiFailure, headersOf, refusalOf, statusOf } from '../http/problem.ts';
import type { PageContext } from './context.ts';
import { renderPage } from './layout.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  403: 'This is not allowed',
  404: 'There is no such page',
  405: 'This page does not take such a request',
  410: 'This page is gone',
  413: 'The request is too large',
  415: 'The request cannot be read',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'The service is busy',
};

const ADVICE: Readonly<Record<number, string>> = {
  404: 'Check the address, or begin at the sign-in page.',
  405: 'Begin again at the sign-in page.',
  429: 'Wait a few seconds, then try again.',
  500: 'Try again. If it happens again, tell your administrator the number below.',
  503: 'Wait a few seconds, then try again.',
};

/** Answers a failure with a page, with the status, the headers and the log line that an operation would have. */
export function refusePage(
  c: PageContext,
  failure: ApiFailure,
  reason: string | null = null,
): Response | Promise<Response> {
  const state = c.get('state');
  state.refusal = refusalOf(failure, reason);
  const status = statusOf(failure);
  for (const [name, value] of Object.entries(headersOf(failure))) c.header(name, value);
  const texts = failure.causes.map(({ text }) => text);
  return renderPage(c, {
    title: TITLES[status] ?? 'Something went wrong',
    status,
    content: html`<div class="card">
${texts.map((text) => html`<p>${text}</p>`)}
${ADVICE[status] !== undefined && html`<p>${ADVICE[status]}</p>`}
<p class="muted">Number of this request: <code>${state.trackingId}</code></p>
<p><a href="/login">Sign in</a></p>
</div>`,
  });
}
