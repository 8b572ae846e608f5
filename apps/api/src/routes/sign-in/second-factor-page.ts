import { html } from 'hono/html';
import { factorForms, type OfferedFactors, offersNothing } from '../../pages/factor-forms.ts';
import type { Page } from '../../pages/page.ts';
import { errorMessage } from '../../pages/parts.ts';
import type { Speech } from '../../pages/speech.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

export interface SecondFactorView {
  /** The page's query, with the question mark. */
  readonly query: string;
  readonly offered: OfferedFactors;
  readonly error: string | null;
}

/** The page that asks for a second factor. */
export function secondFactorPage({ query, offered, error }: SecondFactorView, speech: Speech): Page {
  const { text } = speech.of(SIGN_IN_TEXTS);
  return {
    title: text('confirm.title'),
    path: `/login/second-factor${query}`,
    status: error === null ? 200 : 401,
    script: offered.passkeys,
    content: html`${errorMessage(error)}
<div class="card">
${factorForms({ path: '/login/second-factor', query }, offered, speech)}
${offersNothing(offered) && html`<p>${text('confirm.framed')}</p>`}
</div>
<p><a href="/login">${text('confirm.again')}</a></p>`,
  };
}
