import { useQuery } from '@tanstack/react-query';
import { type ExceptionSubject, useExceptionRequest } from '../changes/exception.tsx';
import { rightsOn } from '../changes/rights.ts';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { sessionQuery } from '../service/session.ts';
import { Actions } from '../ui/forms/actions.tsx';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

const CONCERNS = ['violations', 'exceptions'];

export interface ExceptionOfferProps extends ExceptionSubject {
  /** Whether the violation is there already. */
  readonly isPresent: boolean;
}

/** The way to an exception for what a grant would violate. */
export function ExceptionOffer({ isPresent, ...subject }: ExceptionOfferProps) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  const request = useExceptionRequest(subject);
  if (session.data === undefined) return null;
  const { except } = rightsOn({ target: { type: 'IDENTITY', ...subject.target } }, session.data);
  if (except === 'NO') return null;
  if (except === 'OWN') return <p className={styles['muted']}>{pageText('exception.own')}</p>;
  return (
    <>
      {!isPresent && <p className={styles['muted']}>{pageText('exception.later')}</p>}
      <Actions concerns={CONCERNS} actions={[request]} />
    </>
  );
}
