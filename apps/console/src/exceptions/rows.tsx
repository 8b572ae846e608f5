import type { ExceptionDecision } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { HistoryLink, useMayReadHistory } from '../history/link.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { readNowMs } from '../service/clock.ts';
import { decisionOf, endOf, type NamedException } from '../service/exceptions/queries.ts';
import { endsSoon } from '../service/exceptions/search.ts';
import { nameOf } from '../service/name-of.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Actions } from '../ui/forms/actions.tsx';
import tableStyles from '../ui/tables/table.module.css';
import { CommentField, commentOf } from './comment.tsx';
import styles from './page.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

export interface ExceptionTableProps {
  readonly exceptions: readonly NamedException[];
  readonly onDone: (said: string) => void;
}

/** Exceptions that are decided, each with the way to its history. Approved ones can be revoked. */
export function ExceptionTable({ exceptions, onDone }: ExceptionTableProps) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  const isApproved = exceptions.every(({ state }) => state === 'APPROVED');
  const canRevoke = isApproved && session.data !== undefined && missingRight('decide', session.data) === null;
  const hasActions = useMayReadHistory() || canRevoke;
  const heads = ['person', 'policy', 'approver', 'from', 'until', ...(isApproved ? [] : (['ended'] as const))] as const;
  return (
    <div className={styles['wide']} tabIndex={0} role="group" aria-label={pageText('list')}>
      <table className={`${tableStyles['table']} ${tableStyles['stacked']}`}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {pageText(`col.${head}`)}
              </th>
            ))}
            {hasActions && <th scope="col">{pageText('col.action')}</th>}
          </tr>
        </thead>
        <tbody>
          {exceptions.map((exception) => (
            <tr key={exception.id}>
              <Cells exception={exception} isApproved={isApproved} />
              {hasActions && (
                <td className={styles['action']}>
                  <div>
                    <HistoryLink type="SOD_EXCEPTION" id={exception.id} />
                    {canRevoke && <Revoke exception={exception} onDone={onDone} />}
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cells({ exception, isApproved }: { readonly exception: NamedException; readonly isApproved: boolean }) {
  const { day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { person, policyName, level, justification, approver, start, end } = exception;
  const ended = decisionOf(exception, 'REVOKED', 'REFUSED');
  return (
    <>
      <th scope="row" className={`${tableStyles['name']} ${styles['person']}`} dir="auto">
        <Link to="/people/$id" params={{ id: exception.identityId }}>
          {person}
        </Link>
      </th>
      <td className={styles['policy']}>
        <Link to="/policies/$id" params={{ id: exception.policyId }}>
          <bdi>{policyName}</bdi>
        </Link>{' '}
        {level !== null && <LevelBadge level={VIOLATION_LEVELS[level]} />}
        <div className={styles['muted']} dir="auto">
          {justification}
        </div>
      </td>
      <td dir="auto" data-label={pageText('col.approver')}>
        {approver ?? '–'}
        <Comment of={decisionOf(exception, 'APPROVED')} />
      </td>
      <td className={styles['date']} data-label={pageText('col.from')}>
        {day(start)}
      </td>
      <td className={styles['date']} data-label={pageText('col.until')}>
        {day(end)}
        {isApproved && endsSoon(exception, readNowMs()) && <div className={styles['ending']}>{pageText('soon')}</div>}
      </td>
      {!isApproved && (
        <td className={styles['date']} data-label={pageText('col.ended')}>
          {day(endOf(exception))}
          {ended !== undefined && <div dir="auto">{nameOf(ended.by.identityId, ended.by.displayName)}</div>}
          <Comment of={ended} />
        </td>
      )}
    </>
  );
}

function Comment({ of }: { readonly of: ExceptionDecision | undefined }) {
  return (
    of !== undefined &&
    of.comment !== null && (
      <div className={styles['muted']} dir="auto">
        {of.comment}
      </div>
    )
  );
}

function Revoke({
  exception: { id, person },
  onDone,
}: Pick<ExceptionTableProps, 'onDone'> & { readonly exception: NamedException }) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { sodExceptions } = useApi();
  const [comment, setComment] = useState('');
  return (
    <Actions
      concerns={['exceptions', 'violations']}
      onDone={onDone}
      actions={[
        {
          label: pageText('revoke'),
          isDestructive: true,
          confirm: pageText('revoke.confirm'),
          children: (
            <>
              <p dir="auto">{pageText('revoke.text', { person })}</p>
              <CommentField value={comment} onChange={setComment} />
            </>
          ),
          run: async () => {
            await sodExceptions.revoke(id, commentOf(comment));
            return pageText('revoke.done', { person });
          },
        },
      ]}
    />
  );
}
