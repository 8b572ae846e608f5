import type { SignInDryRun } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { sessionQuery } from '../../service/session.ts';
import { type TriedChange, triedChangeQuery } from '../../service/settings/queries.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { useSettled } from '../../ui/forms/use-settled.ts';
import styles from './preview.module.css';
import { Sample } from './sample.tsx';
import { LOCK_OUT_TEXTS } from './texts.ts';

const PLACES = ['ip', 'country'];

/** The effect on sign-ins of a change that is not saved yet: the service computes it after each pause in typing. */
export function LockOutPreview({ change }: Pick<TriedChange, 'change'>) {
  const pageText = usePageTexts(LOCK_OUT_TEXTS);
  const [ip, setIp] = useState('');
  const [country, setCountry] = useState('');
  const asked = useSettled(JSON.stringify({ change, ip: ip.trim(), country: country.trim() }));
  const tried = useQuery(triedChangeQuery(useApi(), JSON.parse(asked)));
  if (change.operations.length === 0) return null;
  const refusals = sortRefusals(tried.error, PLACES);
  return (
    <section className={styles['preview']} aria-label={pageText('title')}>
      <h3 className={styles['title']}>{pageText('title')}</h3>
      {tried.isError && PLACES.every((place) => refusals.at[place] === undefined) && <Refusal error={tried.error} />}
      {!tried.isError && (
        <div role="status" className={styles['answer']}>
          {tried.data === undefined ? <p>{pageText('asking')}</p> : <Answer dryRun={tried.data} />}
        </div>
      )}
      {!tried.isError && tried.data !== undefined && <Sample dryRun={tried.data} />}
      <details open={tried.isError ? true : undefined}>
        <summary>{pageText('from')}</summary>
        <div className={styles['place']}>
          <TextField
            label={pageText('ip')}
            hint={pageText('ip.hint')}
            width="short"
            value={ip}
            errors={refusals.at['ip']}
            onChange={setIp}
          />
          <TextField
            label={pageText('country')}
            hint={pageText('country.hint')}
            width="short"
            value={country}
            errors={refusals.at['country']}
            onChange={(text) => setCountry(text.toUpperCase())}
          />
        </div>
      </details>
    </section>
  );
}

function Answer({ dryRun }: { readonly dryRun: SignInDryRun }) {
  const pageText = usePageTexts(LOCK_OUT_TEXTS);
  const { identities, newlyBlocked, newlySecondFactor, withoutFactor, sample, wouldBeRefused } = dryRun;
  const session = useQuery(sessionQuery(useApi()));
  const isOwn = sample.some(({ identityId, after }) => identityId === session.data?.identityId && after === 'BLOCK');
  return (
    <>
      <p className={newlyBlocked > 0 ? styles['bad'] : styles['good']}>
        {newlyBlocked > 0 ? pageText('blocked', { count: newlyBlocked }) : pageText('blocked.none')}{' '}
        <span className={styles['plain']}>{pageText('concerned', { count: identities })}</span>
      </p>
      {isOwn && <p className={styles['bad']}>{pageText('self')}</p>}
      {newlySecondFactor > 0 && <p>{pageText('second', { count: newlySecondFactor })}</p>}
      {withoutFactor > 0 && <p>{pageText('factor', { count: withoutFactor })}</p>}
      {wouldBeRefused && <p className={styles['bad']}>{pageText('refused')}</p>}
    </>
  );
}
