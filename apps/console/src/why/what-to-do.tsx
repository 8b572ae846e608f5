import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { AccessLink } from '../ui/access-link.tsx';
import { type Explanation, labelOf } from './explain.ts';
import { type Assigned, findFixes } from './fixes.ts';
import styles from './reason.module.css';
import { Said } from './said.tsx';
import { WHY_TEXTS } from './texts.ts';

export interface FixesProps {
  readonly reason: Explanation;
  readonly heading: 'h2' | 'h3';
  /** Whether an exception is requested for the violation. */
  readonly isRequest: boolean;
}

/** What ends a violation: the fewest assignments to revoke, other choices, and what the policy says. */
export function Fixes({ reason, heading: Heading, isRequest }: FixesProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(WHY_TEXTS);
  const [smallest, ...others] = findFixes(reason);
  const { advice, controls } = reason;
  return (
    <section className={styles['part']}>
      <Heading>{pageText(isRequest ? 'fix.instead' : 'fix')}</Heading>
      {smallest !== undefined && (
        <div className={styles['smallest']}>
          <p className={styles['title']}>{pageText('smallest', { count: smallest.assignments.length })}</p>
          <Assignments steps={smallest.assignments} />
          <p className={styles['way']}>{pageText('ends')}</p>
        </div>
      )}
      {others.map(({ sides, assignments }) => (
        <div key={sides.join()} className={styles['other']}>
          <p className={styles['title']}>{pageText('or')}</p>
          <Assignments steps={assignments} />
        </div>
      ))}
      <Said title={text('violation.fix.advice')} words={advice} />
      <Said title={pageText('controls')} words={controls} />
    </section>
  );
}

function Assignments({ steps }: { readonly steps: readonly Assigned[] }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(WHY_TEXTS);
  return (
    <ul>
      {steps.map(({ type, id, name, account }) => (
        <li key={`${type} ${id} ${account?.id ?? ''}`}>
          <AccessLink of={{ type, id }}>
            <bdi>{name}</bdi>
          </AccessLink>{' '}
          <span className={styles['way']}>
            ({text(`type.${type}`)}
            {account !== undefined && `, ${pageText('of-account', { account: labelOf(account) })}`})
          </span>
        </li>
      ))}
    </ul>
  );
}
