import type { FixStep, SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { missingRight, NEEDED, type Right } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { sourcesQuery } from '../service/sources/queries.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { LevelBadge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { Actions } from '../ui/forms/actions.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { useSecond } from '../ui/use-second.ts';
import { useAssignment } from './assign.tsx';
import { useHandOver } from './hand-over.tsx';
import { Outcome } from './outcome.tsx';
import styles from './plan.module.css';
import { FIX_PLAN_TEXTS } from './texts.ts';

export interface StepProps {
  readonly report: SodReport;
  readonly step: FixStep;
  /** Whether somebody has asked what the register has of it. */
  readonly isAsked: boolean;
  readonly onAsk: () => void;
}

/** One step in full: what to revoke, what ends with it, and what can be done about it from here. */
export function Step({ report, step, isAsked, onAsk }: StepProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const { identityId, displayName, revoke, ends, alsoLoses, handedOver } = step;
  const second = useSecond();
  const sources = useSourceNames(revoke.sources);
  return (
    <>
      <Facts
        facts={[
          {
            name: pageText('person'),
            value: (
              <Link to="/people/$id" params={{ id: identityId }}>
                {nameOf(identityId, displayName)}
              </Link>
            ),
          },
          {
            name: pageText('revoke'),
            value: (
              <>
                <AccessLink of={revoke}>
                  <bdi>{revoke.name}</bdi>
                </AccessLink>{' '}
                <span className={styles['muted']}>{text(`type.${revoke.type}`)}</span>{' '}
                <code className={styles['code']}>{revoke.id}</code>
              </>
            ),
          },
          { name: pageText('from'), value: sources ?? pageText('from.record') },
          {
            name: pageText('ends'),
            value: (
              <ul className={styles['items']}>
                {ends.map(({ policyId, policyName, level }) => (
                  <li key={policyId}>
                    <LevelBadge level={VIOLATION_LEVELS[level]} />{' '}
                    <Link to="/policies/$id" params={{ id: policyId }}>
                      <bdi>{policyName}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            name: pageText('loses'),
            value:
              alsoLoses.length === 0 ? (
                pageText('loses.none')
              ) : (
                <ul className={styles['items']}>
                  {alsoLoses.map(({ id, name }) => (
                    <li key={id}>
                      <AccessLink of={{ type: 'ENTITLEMENT', id }}>
                        <bdi>{name}</bdi>
                      </AccessLink>
                    </li>
                  ))}
                </ul>
              ),
          },
          ...(handedOver === undefined ? [] : [{ name: pageText('handed-over'), value: second(handedOver) }]),
        ]}
      />
      <Ways report={report} step={step} sources={sources} onAsk={onAsk} />
      <div role="status">{isAsked && <Outcome report={report} step={step} />}</div>
    </>
  );
}

/** The names of sources as a text, or their ids for a session that may not read them; null without any. */
function useSourceNames(ids: readonly string[] | undefined): string | null {
  const { list } = useSpeech();
  const api = useApi();
  const mayRead = useMay('sources') && ids !== undefined;
  const { data } = useQuery({ ...sourcesQuery(api), enabled: mayRead });
  return ids === undefined ? null : list(ids.map((id) => data?.find((source) => source.id === id)?.name ?? id));
}

function useMay(right: Right): boolean {
  const session = useQuery(sessionQuery(useApi()));
  return session.data !== undefined && missingRight(right, session.data) === null;
}

interface WaysProps extends Pick<StepProps, 'report' | 'step' | 'onAsk'> {
  readonly sources: string | null;
}

/** What can be done about a step: only what the session may do. */
function Ways({ report, step, sources, onAsk }: WaysProps) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const mayAssign = useMay('reassign');
  const mayHandOver = useMay('ask');
  const assign = useAssignment(step);
  const handOver = useHandOver(report.reportId, step);
  const ticket = useTicket(step, sources);
  const actions = [...(mayAssign ? [assign] : []), ...(mayHandOver ? [handOver] : [])];
  return (
    <>
      <Actions
        concerns={['violations']}
        actions={actions}
        beside={
          <>
            <button type="button" className="button main" onClick={onAsk}>
              {pageText('check')}
            </button>
            <CopyButton value={ticket} label={pageText('copy')} of={pageText('copy.of')} />
          </>
        }
      />
      {actions.length === 0 && <MissingRight needed={NEEDED.ask} isReadable />}
    </>
  );
}

/** A step as one line of text, for a ticket. */
function useTicket({ identityId, displayName, revoke, ends, alsoLoses }: FixStep, sources: string | null): string {
  const { text, list } = useSpeech();
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const named = (name: string, id: string) => (name === id ? id : `${name} (${id})`);
  const line = pageText('ticket', {
    person: named(nameOf(identityId, displayName), identityId),
    type: text(`type.${revoke.type}`),
    item: named(revoke.name, revoke.id),
    from: sources === null ? '' : pageText('ticket.from', { sources }),
    ends: list(ends.map(({ policyName, level }) => `${policyName} (${text(`level.${VIOLATION_LEVELS[level]}`)})`)),
    loses:
      alsoLoses.length === 0
        ? pageText('ticket.loses.none')
        : pageText('ticket.loses', { names: list(alsoLoses.map(({ name }) => name)) }),
  });
  // A name may have breaks.
  return line.replaceAll(/\s+/g, ' ');
}
