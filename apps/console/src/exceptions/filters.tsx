import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { exceptionCountQuery } from '../service/exceptions/queries.ts';
import { EXCEPTION_STATES, type ExceptionChoice } from '../service/exceptions/search.ts';
import { CheckField } from '../ui/fields/check-field.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import styles from './page.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

/** What the page shows. Every choice is a part of the address. */
export function ExceptionFilters({ search }: { readonly search: ExceptionChoice }) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const navigate = useNavigate({ from: '/exceptions' });
  const { ending, person, state = 'REQUESTED' } = search;
  const change = (part: ExceptionChoice) => navigate({ search: part, replace: true });
  const { ending: _, ...anyEnd } = search;
  return (
    <search className={styles['filters']}>
      <States search={search} />
      <div className={styles['choices']}>
        <PersonField
          label={pageText('person')}
          id={person}
          removeLabel={() => pageText('person.remove')}
          onChoose={({ id }) => change({ ...search, person: id })}
          onRemove={() => {
            const { person: __, ...anyone } = search;
            change(anyone);
          }}
        />
        {state === 'APPROVED' && (
          <CheckField
            label={pageText('soon.only')}
            checked={ending === true}
            onChange={(isEnding) => change(isEnding ? { ...search, ending: true } : anyEnd)}
          />
        )}
      </div>
    </search>
  );
}

function States({ search }: { readonly search: ExceptionChoice }) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const api = useApi();
  const { state: shown = 'REQUESTED', person } = search;
  const searches = EXCEPTION_STATES.map((state) => ({ state, ...(person === undefined ? {} : { person }) }));
  const counts = useQueries({ queries: searches.map((each) => exceptionCountQuery(api, each)) });
  return (
    <nav className={styles['states']} aria-label={pageText('states')}>
      {searches.map((each, at) => (
        <Link
          key={each.state}
          to="/exceptions"
          search={each}
          className={styles['state']}
          activeProps={{}}
          aria-current={each.state === shown ? 'page' : undefined}
        >
          {pageText(`state.${each.state}`)} <Count of={counts[at]?.data} />
        </Link>
      ))}
    </nav>
  );
}

/** The number of exceptions of a state; none is shown until it is known. */
function Count({ of }: { readonly of: number | undefined }) {
  const { number } = useSpeech();
  return of !== undefined && <span className={styles['count']}>{number(of)}</span>;
}
