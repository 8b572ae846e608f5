import type { Credentials, ShownIdentity } from '@access-admin/client';
import { useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import styles from './card.module.css';
import { WAY_IN_TEXTS } from './texts.ts';
import { useChange } from './use-change.ts';

export interface LockProps {
  readonly person: ShownIdentity;
  readonly credentials: Credentials;
  readonly mayChange: boolean;
}

/** Whether failed attempts have locked a person, or will soon. */
export function Lock({ person, credentials: { lockedUntil, failedAttempts }, mayChange }: LockProps) {
  const { moment } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const api = useApi();
  const state = useRef<HTMLParagraphElement>(null);
  const change = useChange(state);
  const isLocked = lockedUntil !== null;
  return (
    <div className={isLocked ? `${styles['lock']} ${styles['locked']}` : styles['lock']}>
      <p ref={state} tabIndex={-1}>
        {isLocked
          ? pageText('locked', { time: moment(lockedUntil) })
          : pageText(failedAttempts === 0 ? 'open' : 'failed', { count: failedAttempts })}
      </p>
      {isLocked && mayChange && (
        <ConfirmButton
          label={pageText('unlock')}
          isDestructive={false}
          question={pageText('unlock.question', { name: person.displayName ?? person.uid })}
          onConfirm={() => change(api.authUsers.unlock(person.id))}
        >
          {pageText('unlock.text')}
        </ConfirmButton>
      )}
    </div>
  );
}
