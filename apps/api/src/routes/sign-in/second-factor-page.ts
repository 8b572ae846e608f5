import { html } from 'hono/html';
import { factorForms, type OfferedFactors, offersNothing } from '../../pages/factor-forms.ts';
import type { Page } from '../../pages/page.ts';
import { errorMessage } from '../../pages/parts.ts';

export interface SecondFactorView {
  readonly offered: OfferedFactors;
  readonly error: string | null;
}

/** The page that asks for a second factor. */
export const secondFactorPage = ({ offered, error }: SecondFactorView): Page => ({
  title: 'Confirm your sign-in',
  status: error === null ? 200 : 401,
  script: offered.passkeys,
  content: html`${errorMessage(error)}
<div class="card">
${factorForms('/login/second-factor', offered)}
${offersNothing(offered) && html`<p>Your second factor is a passkey, which cannot be used in a frame. Open this service in a window of its own.</p>`}
</div>
<p><a href="/login">Begin again</a></p>`,
});
