import type { HttpResponse } from '../http/exchange.ts';
import { type ApiFailure, problemResponse } from '../http/problem.ts';
import { html } from './html.ts';
import { pageResponse } from './layout.ts';

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

/** The page that answers a failure, with the status, the headers and the log line that an operation would have. */
export function errorPage(failure: ApiFailure, trackingId: string, iFrameWhitelist: string | null): HttpResponse {
  const { status, headers, refusal } = problemResponse(failure, trackingId);
  const { 'content-type': _, ...kept } = headers;
  const texts = failure.causes.map(({ text }) => text);
  const page = pageResponse(
    {
      title: TITLES[status] ?? 'Something went wrong',
      status,
      headers: kept,
      content: html`<div class="card">
${texts.map((text) => html`<p>${text}</p>`)}
${ADVICE[status] !== undefined && html`<p>${ADVICE[status]}</p>`}
<p class="muted">Number of this request: <code>${trackingId}</code></p>
<p><a href="/login">Sign in</a></p>
</div>`,
    },
    iFrameWhitelist,
  );
  return refusal === undefined ? page : { ...page, refusal };
}
