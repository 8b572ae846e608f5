import type { SignInDryRun } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { nameOf } from '../../service/name-of.ts';
import table from '../../ui/tables/table.module.css';
import styles from './preview.module.css';
import { LOCK_OUT_TEXTS } from './texts.ts';

const SHOWN = 10;

/** The first people whose sign-in changes, and how. */
export function Sample({ dryRun: { sample, newlyBlocked, newlySecondFactor } }: { readonly dryRun: SignInDryRun }) {
  const pageText = usePageTexts(LOCK_OUT_TEXTS);
  if (sample.length === 0) return null;
  const shown = sample.slice(0, SHOWN);
  const more = Math.max(sample.length, newlyBlocked + newlySecondFactor) - shown.length;
  return (
    <>
      <table className={table['table']}>
        <caption className="away">{pageText('sample')}</caption>
        <thead>
          <tr>
            <th scope="col">{pageText('person')}</th>
            <th scope="col">{pageText('before')}</th>
            <th scope="col">{pageText('after')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ identityId, displayName, before, after }) => (
            <tr key={identityId}>
              <th scope="row" className={table['name']} dir="auto">
                {nameOf(identityId, displayName)}
              </th>
              <td>{pageText(before)}</td>
              <td className={after === 'BLOCK' ? styles['bad'] : undefined}>{pageText(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className={styles['plain']}>{pageText('more', { count: more })}</p>}
    </>
  );
}
