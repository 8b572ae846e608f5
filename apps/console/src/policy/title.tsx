import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HistoryLink } from '../history/link.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { StateBadge } from '../policy-form/state-badge.tsx';
import { useApi } from '../service/api.tsx';
import type { Edit } from '../service/policy/edit.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { openWithout, summaryQuery } from '../service/summary.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Heading } from '../ui/heading.tsx';
import styles from './editor.module.css';
import { POLICY_TEXTS } from './texts.ts';

export interface TitleProps {
  readonly edit: Edit;
}

/** The policy as it is saved: its name, its level, whether it is enforced, and its open violations. */
export function Title({ edit: { base } }: TitleProps) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const { day } = useSpeech();
  return (
    <Heading
      back={<Link to="/policies">{pageText('all')}</Link>}
      title={base?.policy.name ?? pageText('new')}
      ways={base !== null && <HistoryLink type="SOD_POLICY" id={base.policy.id} />}
    >
      {base === null ? (
        <p>{pageText('new.about')}</p>
      ) : (
        <p className={styles['facts']}>
          <StateBadge state={base.policy.state} />
          <LevelBadge level={VIOLATION_LEVELS[base.policy.level]} />
          <OpenViolations policyId={base.policy.id} />
          <span>{pageText('modified', { day: day(base.policy.modified) })}</span>
        </p>
      )}
    </Heading>
  );
}

/** The number of open violations of a policy, as far as the counts of the register name it. */
function OpenViolations({ policyId }: { readonly policyId: string }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const summary = useQuery(summaryQuery(useApi()));
  const counted = summary.data?.byPolicy.find(({ policy }) => policy.id === policyId);
  const open = counted?.open ?? (summary.data && openWithout(summary.data));
  return (
    <Link to="/violations" search={{ policy: policyId, status: 'Open' }}>
      {open === undefined ? pageText('open.link') : pageText('open', { count: open })}
    </Link>
  );
}
