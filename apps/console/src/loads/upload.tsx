import { ConflictError, type SourceLoad } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import {
  commandFor,
  FileFault,
  FORMAT_OF,
  findOtherKind,
  type OtherKind,
  type SentLoad,
} from '../service/sources/load-file.ts';
import { loadQuery } from '../service/sources/loads.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { FileField } from '../ui/fields/file-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { Progress } from '../ui/progress.tsx';
import { Outcome } from './details.tsx';
import styles from './upload.module.css';
import { UPLOAD_TEXTS } from './upload-texts.ts';
import { useSending } from './use-sending.ts';

export interface UploadProps {
  readonly source: string;
  readonly onClose: () => void;
}

/** A file to load: a dry run of it says what it would change, then it is loaded. */
export function Upload({ source, onClose }: UploadProps) {
  const pageText = usePageTexts(UPLOAD_TEXTS);
  const apply = useSending(source);
  // A name for each file, so that nothing of one is left for the next.
  const [file, setFile] = useState(0);
  if (apply.data === undefined) return <Attempt key={file} source={source} apply={apply} onClose={onClose} />;
  const begin = () => {
    apply.reset();
    setFile(file + 1);
  };
  return (
    <>
      <Result source={source} title={pageText('applied')} sent={apply.data} />
      <p>
        <button type="button" className="button" onClick={begin}>
          {pageText('again')}
        </button>
      </p>
    </>
  );
}

type Sending = ReturnType<typeof useSending>;

interface Chosen {
  readonly file: File;
  /** What it seems to be where it is no JSON lines. */
  readonly kind: OtherKind | null;
}

/** A file that is chosen and tried out, until it is loaded. */
function Attempt({ source, apply, onClose }: UploadProps & { readonly apply: Sending }) {
  const pageText = usePageTexts(UPLOAD_TEXTS);
  const attempt = useSending(source);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const latest = useRef<File | null>(null);
  const [mode, setMode] = useState<SourceLoad['mode']>('FULL');
  const [isMissing, setMissing] = useState(false);
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const isSending = attempt.isPending || apply.isPending;
  const forget = () => {
    attempt.reset();
    apply.reset();
    setConfirmed(null);
  };
  const choose = async (next: File) => {
    forget();
    setMissing(false);
    setChosen(null);
    latest.current = next;
    const kind = await findOtherKind(next);
    if (latest.current === next) setChosen({ file: next, kind });
  };
  const { file = null, kind = null } = chosen ?? {};
  const send = () => {
    setMissing(file === null);
    if (file === null || kind !== null || isSending) return;
    forget();
    attempt.mutate({ file, mode, dryRun: true, confirmDeletes: null });
  };
  const tried = attempt.variables;
  const errors = isMissing ? [pageText('file.missing')] : kind === null ? [] : [saidOf(kind, pageText)];
  return (
    <>
      <Form label={pageText('try')} hasFocus onSubmit={send}>
        <FileField
          label={pageText('file')}
          hint={pageText('file.hint')}
          errors={errors}
          accept=".ndjson,.jsonl,application/x-ndjson"
          choose={pageText('choose')}
          ways={file !== null && <bdi className={styles['name']}>{file.name}</bdi>}
          isDisabled={isSending}
          onChoose={choose}
        />
        <SelectField
          label={pageText('mode')}
          hint={pageText(`mode.${mode}.hint`)}
          value={mode}
          options={(['FULL', 'DELTA'] as const).map((each) => ({ value: each, label: pageText(`mode.${each}`) }))}
          onChange={(next) => {
            if (isSending) return;
            forget();
            setMode(next);
          }}
        />
        <div className={styles['ways']}>
          <button
            type="submit"
            className={`button ${attempt.isSuccess ? '' : 'main'}`}
            aria-disabled={isSending || kind !== null}
          >
            {pageText('try')}
          </button>
          <p className="hint">{pageText('try.hint')}</p>
        </div>
      </Form>
      <Sent sending={attempt} />
      {attempt.data !== undefined && (
        <>
          <Result source={source} title={pageText('result')} sent={attempt.data} onConfirm={setConfirmed} />
          <Sent sending={apply} />
          <Apply
            source={source}
            loadId={attempt.data.loadId}
            confirmed={confirmed}
            isBusy={apply.isPending}
            // What was tried is loaded, whatever is chosen by now.
            onApply={() => tried && apply.mutate({ ...tried, dryRun: false, confirmDeletes: confirmed })}
            onCancel={onClose}
          />
        </>
      )}
      {attempt.data === undefined && <Others source={source} kind={kind} file={file} />}
    </>
  );
}

function saidOf(kind: OtherKind, pageText: (key: `is.${OtherKind}` | 'is.converted') => string): string {
  const said = pageText(`is.${kind}`);
  return FORMAT_OF[kind] === undefined ? said : `${said} ${pageText('is.converted')}`;
}

/** How far a file is sent, or why it was not. */
function Sent({ sending: { isPending, share, error, stop } }: { readonly sending: Sending }) {
  const { locale } = useSpeech();
  const pageText = usePageTexts(UPLOAD_TEXTS);
  if (isPending) {
    const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(share);
    return (
      <div className={styles['sending']}>
        <Progress label={pageText('sending', { share: percent })} value={share} />
        <button type="button" className="button" onClick={stop}>
          {pageText('stop')}
        </button>
      </div>
    );
  }
  if (error === null) return null;
  if (error instanceof FileFault)
    return (
      <p className="message error" role="alert">
        {pageText(`fault.${error.fault}`, { line: error.line })}
      </p>
    );
  return <Refusal error={error} explanation={error instanceof ConflictError ? pageText('other') : null} />;
}

interface ResultProps {
  readonly source: string;
  readonly title: string;
  readonly sent: SentLoad;
  readonly onConfirm?: (deletes: number) => void;
}

/** What became of a load, below a heading that has the focus. */
function Result({ source, title, sent: { loadId, lineOf }, ...shown }: ResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles['result']}>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <Outcome source={source} loadId={loadId} lineOf={lineOf} {...shown} />
    </section>
  );
}

interface ApplyProps {
  readonly source: string;
  /** The dry run. */
  readonly loadId: string;
  readonly confirmed: number | null;
  readonly isBusy: boolean;
  readonly onApply: () => void;
  readonly onCancel: () => void;
}

/** The ways on after a dry run. */
function Apply({ source, loadId, confirmed, isBusy, onApply, onCancel }: ApplyProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(UPLOAD_TEXTS);
  const state = useQuery(loadQuery(useApi(), source, loadId)).data?.state;
  if (state !== 'SUCCESS') return null;
  return (
    <p className={styles['ways']}>
      <button
        type="button"
        className={`button main ${confirmed === null ? '' : 'danger'}`}
        aria-disabled={isBusy}
        onClick={() => isBusy || onApply()}
      >
        {confirmed === null ? pageText('apply') : pageText('apply.confirmed', { count: confirmed })}
      </button>
      <button type="button" className="button" onClick={onCancel}>
        {text('state.cancel')}
      </button>
    </p>
  );
}

interface OthersProps {
  readonly source: string;
  readonly kind: OtherKind | null;
  readonly file: File | null;
}

/** What loads the files that this page does not take. */
function Others({ source, kind, file }: OthersProps) {
  const pageText = usePageTexts(UPLOAD_TEXTS);
  const format = kind === null ? 'csv' : FORMAT_OF[kind];
  const command =
    file === null || format === undefined || kind === null
      ? commandFor(source, 'csv', 'accounts.csv')
      : commandFor(source, format, file.name);
  return (
    <section className={styles['others']}>
      <h3>{pageText('others')}</h3>
      <p>{pageText('others.text')}</p>
      <p className={styles['command']}>
        <code>
          {command.split(' ').map((word, at) => (
            // A dash is no place to break a command.
            <span key={`${at} ${word}`}>{`${word} `}</span>
          ))}
        </code>
        <CopyButton value={command} of={pageText('command')} />
      </p>
    </section>
  );
}
