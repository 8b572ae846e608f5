import type { Enrolled, Passkey, SignInIdentity, StoredSession } from '@access-admin/store';
import type { Child } from 'hono/jsx';
import { consolePathOf } from '../sign-in/console-path.ts';
import { offersPasskeys } from '../sign-in/factors/passkey.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { renderPage } from '../sign-in/pages/layout.tsx';
import {
  ErrorMessage,
  GoodMessage,
  NewPasswordFields,
  PasskeyForm,
  UsernameOfPassword,
} from '../sign-in/pages/parts.tsx';
import { type Speech, textOf } from '../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../sign-in/pages/texts.ts';
import { type Holder, usesOwnPassword } from './holder.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** What a change leads back with: only texts of these are shown. */
const DONE = ['password', 'passkey', 'passkey-removed', 'authenticator', 'authenticator-removed', 'session'] as const;

/** What has been changed. */
export type Done = (typeof DONE)[number];

/** Where a change leads back to. */
export const doneAt = (done: Done): string => `/account?done=${done}`;

const doneOf = (c: PageContext): string | null => {
  const done = DONE.find((each) => each === c.req.query('done'));
  return done === undefined ? null : textOf(c, ACCOUNT_TEXTS, `done.${done}`);
};

interface Shown {
  /** Why a change was refused. */
  readonly error?: string;
  /** 400 if left out. */
  readonly status?: 409;
}

/** The page of one's own factors and sessions. */
export async function showAccount(c: PageContext, holder: Holder, { error, status }: Shown = {}): Promise<Response> {
  const { live, session, identity, mayChange } = holder;
  const { decide, sessions, system } = c.env.services;
  const { uid, password } = identity;
  const hasOwnPassword = password !== null || usesOwnPassword(await decide(identity, c.get('source')));
  const living = await sessions.list(c.get('tenant'), identity.id);
  const consolePath = consolePathOf(c, live);
  const noPasskeys = noPasskeysReason(c);
  const speech = c.get('speech');
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  const shared = { identity, mayChange, speech };
  return renderPage(c, {
    title: text('title'),
    path: '/account',
    wide: true,
    status: error === undefined ? 200 : (status ?? 400),
    script: mayChange && noPasskeys === null,
    content: (
      <>
        {consolePath !== null && (
          <p>
            <a href={consolePath}>{text('console')}</a>
          </p>
        )}
        <ErrorMessage text={error ?? null} />
        <GoodMessage text={error === undefined ? doneOf(c) : null} />
        <Section id="who" title={identity.displayName ?? uid}>
          <p>{rich('username', { name: <strong>{uid}</strong> })}</p>
          <form method="post" action="/sign-out">
            <button class="button">{text('sign-out')}</button>
          </form>
        </Section>
        <NewFactors factors={newFactorsOf(identity, system.now().getTime())} speech={speech} />
        {!mayChange && (
          <Section id="confirm" title={text('change.title')}>
            <p>{text('change.text')}</p>
            <p>
              <a class="button main" href="/account/confirm">
                {text('confirm')}
              </a>
            </p>
          </Section>
        )}
        {hasOwnPassword && <Password {...shared} />}
        <Passkeys {...shared} refused={noPasskeys} />
        <App {...shared} />
        <RecoveryCodes {...shared} />
        <Sessions sessions={living} own={session} speech={speech} />
      </>
    ),
  });
}

function noPasskeysReason(c: PageContext): string | null {
  if (offersPasskeys(c)) return null;
  const { text } = c.get('speech').of(ACCOUNT_TEXTS);
  return c.get('isFramed') ? text('passkeys.framed') : text('passkeys.address', { origin: c.get('origin') });
}

/** A recently set factor. */
interface NewFactor {
  readonly kind: 'password' | 'passkey' | 'app' | 'recovery-codes';
  /** The name of a passkey; null for other factors. */
  readonly name: string | null;
  readonly set: string;
  /** Whether it was set through a sign-in link that an identity made. */
  readonly isByLink: boolean;
}

const NEW_MS = 30 * 24 * 3_600_000;

/** The factors that were set within 30 days. */
function newFactorsOf(
  { password, passkeys, totp, recoveryCodes }: SignInIdentity,
  nowMs: number,
): readonly NewFactor[] {
  const factor = (kind: NewFactor['kind'], set: string, { usedLink }: Enrolled, name: string | null = null) => ({
    kind,
    name,
    set,
    isByLink: usedLink !== null,
  });
  const all: readonly NewFactor[] = [
    ...(password === null ? [] : [factor('password', password.changed, password)]),
    ...passkeys.map((passkey) => factor('passkey', passkey.created, passkey, passkey.name)),
    ...(totp === null ? [] : [factor('app', totp.created, totp)]),
    ...(recoveryCodes === null ? [] : [factor('recovery-codes', recoveryCodes.created, recoveryCodes)]),
  ];
  return all
    .filter(({ set }) => nowMs - Date.parse(set) < NEW_MS)
    .sort((left, right) => Date.parse(right.set) - Date.parse(left.set));
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
}

const Section = ({ id, title, children }: SectionProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

interface FactorProps {
  readonly identity: SignInIdentity;
  readonly mayChange: boolean;
  readonly speech: Speech;
}

/** Cannot be dismissed: an intruder would do so first. */
function NewFactors({ factors, speech }: { readonly factors: readonly NewFactor[]; readonly speech: Speech }) {
  if (factors.length === 0) return null;
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="new-factors" title={text('new.title')}>
      <p>{text('new.text')}</p>
      <ul class="rows">
        {factors.map(({ kind, name, set, isByLink }) => (
          <Row
            name={name ?? kindOf(kind, speech)}
            details={rich(isByLink ? 'new.by-link' : 'new.set', { time: <Time iso={set} speech={speech} /> })}
          />
        ))}
      </ul>
    </Section>
  );
}

function kindOf(kind: NewFactor['kind'], { of }: Speech): string {
  if (kind === 'password') return of(ACCOUNT_TEXTS).text('password');
  return kind === 'passkey' ? of(ACCOUNT_TEXTS).text('passkeys') : of(PAGE_TEXTS).text(kind);
}

function Password({ identity: { uid, password }, mayChange, speech }: FactorProps) {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="password-of" title={text('password')}>
      <p>
        {password === null
          ? text('password.none')
          : rich('password.set', { time: <Time iso={password.changed} speech={speech} /> })}
      </p>
      {mayChange && (
        <form method="post" action="/account/password">
          <UsernameOfPassword username={uid} />
          <NewPasswordFields speech={speech} />
          <p class="muted">{text('password.others')}</p>
          <button class="button main">{text('password.submit')}</button>
        </form>
      )}
    </Section>
  );
}

interface PasskeysProps extends FactorProps {
  /** Why no passkey can be added here; null where one can. */
  readonly refused: string | null;
}

function Passkeys({ identity: { passkeys }, refused, mayChange, speech }: PasskeysProps) {
  const { text } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="passkeys-of" title={text('passkeys')}>
      {passkeys.length === 0 && <p>{text('passkeys.none')}</p>}
      {refused !== null && <p class="muted">{refused}</p>}
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <Row name={passkey.name} details={timesOf(passkey, speech)}>
              {mayChange && (
                <DangerForm
                  action={`/account/passkeys/${passkey.id}/remove`}
                  label={text('remove')}
                  which={passkey.name}
                />
              )}
            </Row>
          ))}
        </ul>
      )}
      {mayChange && refused === null && (
        <PasskeyForm
          action="/account/passkeys"
          options="/account/passkeys/options"
          ceremony="create"
          label={text('passkeys.add')}
          quiet
          speech={speech}
        />
      )}
    </Section>
  );
}

function timesOf({ created, lastUsed }: Passkey, speech: Speech): Child {
  const { rich } = speech.of(ACCOUNT_TEXTS);
  const added = <Time iso={created} speech={speech} />;
  if (lastUsed === null) return rich('passkeys.unused', { created: added });
  return rich('passkeys.used', { created: added, used: <Time iso={lastUsed} speech={speech} /> });
}

function App({ identity: { totp }, mayChange, speech: { of } }: FactorProps) {
  const { text } = of(ACCOUNT_TEXTS);
  const hasTotp = totp !== null;
  return (
    <Section id="totp-of" title={of(PAGE_TEXTS).text('app')}>
      <p>{text(hasTotp ? 'app.set' : 'app.none')}</p>
      {mayChange && (
        <p>
          <a class="button" href="/account/authenticator">
            {text(hasTotp ? 'app.set-up-another' : 'app.set-up')}
          </a>
        </p>
      )}
      {mayChange && hasTotp && <DangerForm action="/account/authenticator/remove" label={text('app.remove')} />}
    </Section>
  );
}

function RecoveryCodes({ identity: { recoveryCodes }, mayChange, speech: { of } }: FactorProps) {
  const { text } = of(ACCOUNT_TEXTS);
  const count = recoveryCodes?.left ?? 0;
  return (
    <Section id="codes-of" title={of(PAGE_TEXTS).text('recovery-codes')}>
      <p>{count === 0 ? text('codes.none') : text('codes.left', { count })}</p>
      {mayChange && (
        <form method="post" action="/account/recovery-codes">
          <button class="button">{text('codes.renew')}</button>
        </form>
      )}
    </Section>
  );
}

interface SessionsProps {
  readonly sessions: readonly StoredSession[];
  /** That of this browser. */
  readonly own: StoredSession;
  readonly speech: Speech;
}

function Sessions({ sessions, own, speech }: SessionsProps) {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="sessions-of" title={text('sessions')}>
      <ul class="rows">
        {sessions.map(({ id, createdMs, activeMs }) => (
          <Row
            name={text(id === own.id ? 'sessions.this' : 'sessions.other')}
            details={rich('sessions.times', {
              created: <Time iso={isoOf(createdMs)} speech={speech} />,
              active: <Time iso={isoOf(activeMs)} speech={speech} />,
            })}
          >
            {id !== own.id && (
              <DangerForm
                action={`/account/sessions/${id}/end`}
                label={text('sessions.end')}
                which={text('sessions.which', { time: speech.moment(isoOf(createdMs)) })}
              />
            )}
          </Row>
        ))}
      </ul>
    </Section>
  );
}

interface RowProps {
  readonly name: string;
  readonly details: Child;
  readonly children?: Child;
}

const Row = ({ name, details, children }: RowProps) => (
  <li>
    <span>
      {name}
      <small>{details}</small>
    </span>
    {children}
  </li>
);

interface DangerFormProps {
  readonly action: string;
  readonly label: string;
  /** What it ends, for screen readers, where there are several. */
  readonly which?: string;
}

const DangerForm = ({ action, label, which }: DangerFormProps) => (
  <form method="post" action={action}>
    <button class="button danger">
      {label}
      {which !== undefined && (
        <>
          {' '}
          <span class="away">{which}</span>
        </>
      )}
    </button>
  </form>
);

const Time = ({ iso, speech: { moment } }: { readonly iso: string; readonly speech: Speech }) => (
  <time datetime={iso}>{moment(iso)}</time>
);

const isoOf = (ms: number): string => new Date(ms).toISOString();
