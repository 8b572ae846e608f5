import type { SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { nameQuery, policyNameQuery } from '../../service/look-ups.ts';
import { nameOf } from '../../service/name-of.ts';
import { VIOLATION_LEVELS } from '../../service/policy/terms.ts';
import { partsOf, planLimitsOf, type Subject } from '../../service/reports/question.ts';
import { AccessLink } from '../../ui/access-link.tsx';
import styles from './question.module.css';
import { OUTCOME_TEXTS } from './texts.ts';

// Each name that the question does not have is a request.
const NAMED_MAX = 3;

/** What a report was asked about, in words; nothing for a scan, which is about everything. */
export function Question({ report }: { readonly report: Pick<SodReport, 'kind' | 'question'> }) {
  const { text, list, number } = useSpeech();
  const pageText = usePageTexts(OUTCOME_TEXTS);
  if (report.question === null) return <p className={styles['muted']}>{pageText('question.long')}</p>;
  const parts = partsOf(report).map(({ part, subjects }) => (
    <p key={part} dir="auto">
      <span className={styles['muted']}>{pageText(`question.${part}`)}</span>{' '}
      {subjects.slice(0, NAMED_MAX).map((subject, at) => (
        <span key={`${at} ${subject.id}`}>
          {at > 0 && ', '}
          <Named subject={subject} />
        </span>
      ))}
      {subjects.length > NAMED_MAX && ` ${pageText('question.more', { count: subjects.length - NAMED_MAX })}`}
    </p>
  ));
  if (report.kind !== 'FIX_PLAN') return parts;
  const { levels, keeps } = planLimitsOf(report.question);
  return (
    <>
      {levels.length > 0 && (
        <p>
          <span className={styles['muted']}>{pageText('question.levels')}</span>{' '}
          {list(levels.map((level) => text(`level.${VIOLATION_LEVELS[level]}`)))}
        </p>
      )}
      {parts}
      <p>
        <span className={styles['muted']}>{pageText('question.keeps')}</span> {number(keeps)}
      </p>
    </>
  );
}

function Named({ subject: { type, id, name } }: { readonly subject: Subject }) {
  const api = useApi();
  const query = type === 'SOD_POLICY' ? policyNameQuery(api, id ?? '') : nameQuery(api, { type, id: id ?? '' });
  const found = useQuery({ ...query, enabled: name === null && id !== null });
  const shown = <bdi>{name ?? found.data ?? id}</bdi>;
  // A policy that the question adds has never been.
  if (id === null) return shown;
  if (type === 'IDENTITY')
    return (
      <Link to="/people/$id" params={{ id }}>
        {shown}
      </Link>
    );
  if (type !== 'SOD_POLICY') return <AccessLink of={{ type, id }}>{shown}</AccessLink>;
  return (
    <Link to="/policies/$id" params={{ id }}>
      {shown}
    </Link>
  );
}

/** Who asked for a report. */
export function Requester({ of: { clientId, identityId, displayName } }: { readonly of: SodReport['requestedBy'] }) {
  const pageText = usePageTexts(OUTCOME_TEXTS);
  if (identityId === null) return pageText('application', { id: clientId });
  return (
    <Link to="/people/$id" params={{ id: identityId }}>
      <bdi>{nameOf(identityId, displayName)}</bdi>
    </Link>
  );
}
