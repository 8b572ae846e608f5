import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import button from '../../parts/button.module.css';
import { Card } from '../../parts/card.tsx';
import fields from '../../parts/fields/fields.module.css';
import { MissingRight } from '../../parts/missing-right.tsx';
import { parseReportsSearch, type ReportsSearch } from '../../service/reports/search.ts';
import { ASKING } from '../../service/reports/start.ts';
import { Check } from './check.tsx';
import { Ended } from './rows.tsx';
import styles from './section.module.css';
import { CHECKS_TEXTS } from './texts.ts';

export interface ChecksProps {
  readonly search: ReportsSearch;
  /** Whether the person may read checks. */
  readonly mayRead: boolean;
}

/** Checks: one by its id, and those that ended last. */
export function Checks({ search, mayRead }: ChecksProps) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  return (
    <Card title={pageText('title')}>
      <p className={styles['about']}>{pageText('about')}</p>
      {mayRead ? (
        <>
          <Sought search={search} />
          {search.check !== undefined && <Check key={search.check} requestId={search.check} />}
          <Ended search={search} />
        </>
      ) : (
        <MissingRight needed={ASKING} />
      )}
    </Card>
  );
}

function Sought({ search }: { readonly search: ReportsSearch }) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const navigate = useNavigate({ from: '/reports' });
  const id = useId();
  const { check = '' } = search;
  const [typed, setTyped] = useState(check);
  // The address changes by other means too, such as a choice from the list.
  useEffect(() => setTyped(check), [check]);
  const show = (event: FormEvent) => {
    event.preventDefault();
    navigate({ search: parseReportsSearch({ ...search, check: typed.trim() }) });
  };
  return (
    <form className={`${fields['fields']} ${styles['sought']}`} onSubmit={show}>
      <div className={fields['field']}>
        <label htmlFor={id}>{pageText('id')}</label>
        <input
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          className={styles['id']}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <button type="submit" className={button['button']}>
        {pageText('show')}
      </button>
    </form>
  );
}
