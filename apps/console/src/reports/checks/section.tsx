import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { parseReportsSearch, type ReportsSearch } from '../../service/reports/search.ts';
import { NEEDED } from '../../service/rights.ts';
import { Card } from '../../ui/card.tsx';
import { FieldRow } from '../../ui/fields/row.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { MissingRight } from '../../ui/missing-right.tsx';
import { CHECK_PLACE, Check } from './check.tsx';
import { Latest } from './rows.tsx';
import styles from './section.module.css';
import { CHECKS_TEXTS } from './texts.ts';

export interface ChecksProps {
  readonly search: ReportsSearch;
  /** Whether the person may read checks. */
  readonly mayRead: boolean;
}

/** Checks: one by its id, and the latest. */
export function Checks({ search, mayRead }: ChecksProps) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  return (
    <Card title={pageText('title')}>
      <p className={styles['about']}>{pageText('about')}</p>
      {mayRead ? (
        <>
          <Sought search={search} />
          {search.check !== undefined && (
            <div id={CHECK_PLACE}>
              <Check key={search.check} requestId={search.check} />
            </div>
          )}
          <Latest search={search} />
        </>
      ) : (
        <MissingRight needed={NEEDED.ask} />
      )}
    </Card>
  );
}

function Sought({ search }: { readonly search: ReportsSearch }) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const navigate = useNavigate({ from: '/reports' });
  const { check = '' } = search;
  const [typed, setTyped] = useState(check);
  // The address changes by other means too, such as a choice from the list.
  useEffect(() => setTyped(check), [check]);
  const show = (event: FormEvent) => {
    event.preventDefault();
    navigate({ search: parseReportsSearch({ ...search, check: typed.trim() }) });
  };
  return (
    <form onSubmit={show}>
      <FieldRow>
        <TextField label={pageText('id')} width="id" value={typed} onChange={setTyped} />
        <button type="submit" className="button">
          {pageText('show')}
        </button>
      </FieldRow>
    </form>
  );
}
