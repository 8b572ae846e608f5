import type { SodReportViolation } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { nameOf } from '../service/name-of.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { LevelBadge } from '../ui/badge.tsx';
import { useSideTitle } from '../why/side-title.ts';
import styles from './page.module.css';
import { REPORT_TEXTS } from './texts.ts';

/** One violation of a report: what the person holds on each side. */
export function Details({ line }: { readonly line: SodReportViolation }) {
  const { text, moment } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const sideTitle = useSideTitle();
  const { identityId, displayName, policyId, policyName, level, exception, conflictingAccessCriteria: held } = line;
  const sides = 'criteria' in held ? held.criteria : [held.leftCriteria, held.rightCriteria];
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{pageText('person')}</dt>
        <dd dir="auto">
          <Link to="/people/$id" params={{ id: identityId }}>
            {nameOf(identityId, displayName)}
          </Link>
        </dd>
        <dt>{pageText('policy')}</dt>
        <dd dir="auto">
          <Link to="/policies/$id" params={{ id: policyId }}>
            {policyName}
          </Link>
        </dd>
        <dt>{pageText('level')}</dt>
        <dd>
          <LevelBadge level={VIOLATION_LEVELS[level]} />
        </dd>
      </dl>
      {exception !== null && <p>{text('violation.covered', { time: moment(exception.end) })}</p>}
      {sides.map((side, at) => {
        const name = sideTitle('name' in side ? side.name : null, at);
        return (
          side.criteriaList.length > 0 && (
            <section key={`${at} ${name}`} className={styles['side']}>
              <h2 dir="auto">{name}</h2>
              <ul>
                {side.criteriaList.map((item) => (
                  <li key={item.id}>
                    <AccessLink of={item}>
                      <bdi>{item.name}</bdi>
                    </AccessLink>{' '}
                    <code>{item.id}</code>
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </>
  );
}
