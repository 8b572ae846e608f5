import { FactorForms, type OfferedFactors, offersNothing } from './factor-forms.tsx';
import type { Page } from './page.ts';
import { ErrorMessage } from './parts.tsx';
import type { Speech } from './speech.ts';
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
    content: (
      <>
        <ErrorMessage text={error} />
        <div class="card">
          <FactorForms path="/login/second-factor" query={query} offered={offered} speech={speech} />
          {offersNothing(offered) && <p>{text('confirm.framed')}</p>}
        </div>
        <p>
          <a href="/login">{text('confirm.again')}</a>
        </p>
      </>
    ),
  };
}
