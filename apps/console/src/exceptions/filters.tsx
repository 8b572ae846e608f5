import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { LookUpField } from '../parts/look-up-field.tsx';
import { useApi } from '../service/api.tsx';
import { exceptionCountQuery } from '../service/exceptions/queries.ts';
import { EXCEPTION_STATES, type ExceptionSearch } from '../service/exceptions/search.ts';
import { nameQuery, peopleQuery } from '../service/look-ups.ts';
import styles from './page.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

/** What the page shows. Every choice is a part of the address. */
export function Filters({ search }: { readonly search: ExceptionSearch }) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const api = useApi();
  const navigate = useNavigate({ from: '/exceptions' });
  const { ending, person, state = 'REQUESTED' } = search;
  const change = (part: ExceptionSearch) => navigate({ search: part, replace: true });
  const { ending: _, ...anyEnd } = search;
  return (
    <search className={styles['filters']}>
      <States search={search} />
      <div className={styles['choices']}>
        {person === undefined ? (
          <LookUpField
            label={pageText('person')}
            offer={(typed) => peopleQuery(api, typed)}
            onChoose={({ id }) => change({ ...search, person: id })}
          />
        ) : (
          <Chosen
            id={person}
            onRemove={() => {
              const { person: __, ...anyone } = search;
              change(anyone);
            }}
          />
        )}
        {state === 'APPROVED' && (
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={ending === true}
              onChange={({ target }) => change(target.checked ? { ...search, ending: true } : anyEnd)}
            />
            {pageText('soon.only')}
          </label>
        )}
      </div>
    </search>
  );
}

function States({ search }: { readonly search: ExceptionSearch }) {
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

function Chosen({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const name = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  return (
    <p className={styles['chosen']}>
      <span>
        {pageText('person')}: <bdi>{name.data ?? id}</bdi>
      </span>
      <button type="button" className={button['button']} onClick={onRemove}>
        {pageText('person.remove')}
      </button>
    </p>
  );
}
