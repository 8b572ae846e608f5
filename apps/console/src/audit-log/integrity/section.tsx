import { type AuditLogVerification, type SignedAuditHead, VerificationError } from '@access-admin/client';
import { useId, useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { parseHead, type Verification } from '../../service/audit/verification.ts';
import { Failure } from '../../ui/failure.tsx';
import { Progress } from '../../ui/progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './section.module.css';
import { INTEGRITY_TEXTS } from './texts.ts';
import { useVerification } from './use-verification.ts';

export interface IntegrityProps {
  readonly onShow: (sequence: number) => void;
}

/** Verifies in this browser that the log is as it was recorded. */
export function Integrity({ onShow }: IntegrityProps) {
  const pageText = usePageTexts(INTEGRITY_TEXTS);
  const { verification, start, stop } = useVerification();
  const [kept, setKept] = useState<SignedAuditHead | null>(null);
  const isRunning = verification.state === 'running';
  return (
    <details className={styles['integrity']}>
      <summary>{pageText('integrity')}</summary>
      <p className={styles['about']}>{pageText('integrity.about')}</p>
      <div className={styles['ways']}>
        <button type="button" className="button" onClick={isRunning ? stop : () => start(kept)}>
          {pageText(isRunning ? 'verify.stop' : 'verify')}
        </button>
        <KeptEnd isDisabled={isRunning} onChange={setKept} />
      </div>
      <div role="status" className={styles['result']}>
        <Result verification={verification} onShow={onShow} onAgain={() => start(kept)} />
      </div>
    </details>
  );
}

interface KeptEndProps {
  readonly isDisabled: boolean;
  readonly onChange: (kept: SignedAuditHead | null) => void;
}

/** A file with the signed end of the log as it was at an earlier time. */
function KeptEnd({ isDisabled, onChange }: KeptEndProps) {
  const pageText = usePageTexts(INTEGRITY_TEXTS);
  const id = useId();
  const [isWrong, setWrong] = useState(false);
  const read = async (file: File | undefined) => {
    const head = file === undefined ? null : parseHead(await file.text());
    setWrong(file !== undefined && head === null);
    onChange(head);
  };
  return (
    <div className={styles['kept']}>
      <label htmlFor={id}>{pageText('kept')}</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        disabled={isDisabled}
        aria-describedby={`${id}-wrong`}
        onChange={({ target }) => read(target.files?.[0])}
      />
      <span id={`${id}-wrong`} className={styles['bad']}>
        {isWrong && pageText('kept.wrong')}
      </span>
    </div>
  );
}

interface ResultProps extends IntegrityProps {
  readonly verification: Verification;
  readonly onAgain: () => void;
}

function Result({ verification, onShow, onAgain }: ResultProps) {
  const pageText = usePageTexts(INTEGRITY_TEXTS);
  if (verification.state === 'idle') return null;
  if (verification.state === 'running') {
    const { verified, total } = verification;
    return (
      <Progress
        label={pageText('verify.running', { count: verified, total })}
        value={total === 0 ? null : Math.min(1, verified / total)}
      />
    );
  }
  if (verification.state === 'stopped') return <p>{pageText('verify.stopped', { count: verification.verified })}</p>;
  if (verification.state === 'done')
    return <Verdict result={verification.result} head={verification.head} onShow={onShow} />;
  return verification.error instanceof VerificationError ? (
    <p className={styles['bad']}>{pageText('verify.head', { reason: verification.error.message })}</p>
  ) : (
    <Failure error={verification.error} title={pageText('verify.failed')} onRetry={onAgain} />
  );
}

interface VerdictProps extends IntegrityProps {
  readonly result: AuditLogVerification;
  readonly head: SignedAuditHead;
}

function Verdict({ result: { sequence, fault, erased }, head, onShow }: VerdictProps) {
  const pageText = usePageTexts(INTEGRITY_TEXTS);
  if (fault !== null)
    return (
      <>
        <p className={styles['bad']}>{pageText(`fault.${fault.reason}`, { count: fault.sequence })}</p>
        <p>{pageText('fault.before', { count: sequence })}</p>
        {fault.event !== null && (
          <p>
            <button type="button" className="button" onClick={() => onShow(fault.sequence)}>
              {pageText('fault.show', { count: fault.sequence })}
            </button>
          </p>
        )}
      </>
    );
  const save = () =>
    saveFile(`audit-head-${head.sequence}.json`, new Blob([JSON.stringify(head)], { type: 'application/json' }));
  return (
    <>
      <p className={styles['good']}>{pageText('verify.good', { count: sequence })}</p>
      {erased > 0 && <p>{pageText('verify.erased', { count: erased })}</p>}
      <p>
        <button type="button" className="button" onClick={save}>
          {pageText('kept.save')}
        </button>
      </p>
    </>
  );
}
