import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { Empty } from '../ui/empty.tsx';
import styles from './first-steps.module.css';
import { FIRST_STEPS_TEXTS } from './first-steps-texts.ts';

/** What there is to do in a tenant that has no policies. */
export function FirstSteps() {
  const pageText = usePageTexts(FIRST_STEPS_TEXTS);
  const steps: readonly { readonly name: 'import' | 'policy' | 'invite'; readonly way: ReactNode }[] = [
    { name: 'import', way: <a href="/docs">{pageText('import.link')}</a> },
    { name: 'policy', way: <Link to="/policies/new">{pageText('policy.link')}</Link> },
    {
      name: 'invite',
      way: (
        <Link to="/people" search={{ create: 'invite' }}>
          {pageText('invite.link')}
        </Link>
      ),
    },
  ];
  return (
    <Empty title={pageText('title')}>
      <p>{pageText('text')}</p>
      <ol className={styles['steps']}>
        {steps.map(({ name, way }) => (
          <li key={name}>
            <p className={styles['name']}>{pageText(name)}</p>
            <p>{pageText(`${name}.text`)}</p>
            <p>{way}</p>
          </li>
        ))}
      </ol>
    </Empty>
  );
}
