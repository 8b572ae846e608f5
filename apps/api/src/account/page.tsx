import type { Child } from 'hono/jsx';
import type { Page } from '../sign-in/pages/page.ts';
import {
  ErrorMessage,
  GoodMessage,
  NewPasswordFields,
  PasskeyForm,
  UsernameOfPassword,
} from '../sign-in/pages/parts.tsx';
import type { Speech } from '../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../sign-in/pages/texts.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** A passkey of the identity. */
export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string | null;
}

/** A recently set factor. */
export interface NewFactorView {
  readonly kind: 'password' | 'passkey' | 'app' | 'recovery-codes';
  /** The name of a passkey; null for other factors. */
  readonly name: string | null;
  readonly set: string;
  /** True if it was set through a sign-in link that an identity made. */
  readonly isByLink: boolean;
}

/** A session of the identity. */
export interface SessionView {
  readonly id: string;
  readonly created: string;
  readonly active: string;
  readonly isCurrent: boolean;
}

export interface AccountView {
  readonly username: string;
  readonly displayName: string | null;
  /** Null where there is no console for the identity. */
  readonly consolePath: string | null;
  /** Whether a factor was proven within the last minutes, so that changes are offered. */
  readonly mayChange: boolean;
  /** The latest first. */
  readonly newFactors: readonly NewFactorView[];
  /** When the password was set; null without one; undefined where the identity has none of this service. */
  readonly passwordChanged: string | null | undefined;
  readonly passkeys: readonly PasskeyView[];
  /** Why no passkey can be added here; null where one can. */
  readonly noPasskeys: string | null;
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
  readonly sessions: readonly SessionView[];
  readonly done: string | null;
  readonly error: string | null;
  /** The status of a refused change; 400 if left out. */
  readonly status?: 409;
}

/** The page of one's own factors and sessions. */
export function accountPage(view: AccountView, speech: Speech): Page {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  const section = { view, speech };
  return {
    title: text('title'),
    path: '/account',
    wide: true,
    status: view.error === null ? 200 : (view.status ?? 400),
    script: view.mayChange && view.noPasskeys === null,
    content: (
      <>
        {view.consolePath !== null && (
          <p>
            <a href={view.consolePath}>{text('console')}</a>
          </p>
        )}
        <ErrorMessage text={view.error} />
        <GoodMessage text={view.done} />
        <Section id="who" title={view.displayName ?? view.username}>
          <p>{rich('username', { name: <strong>{view.username}</strong> })}</p>
          <form method="post" action="/sign-out">
            <button class="button">{text('sign-out')}</button>
          </form>
        </Section>
        <NewFactors {...section} />
        {!view.mayChange && (
          <Section id="confirm" title={text('change.title')}>
            <p>{text('change.text')}</p>
            <p>
              <a class="button main" href="/account/confirm">
                {text('confirm')}
              </a>
            </p>
          </Section>
        )}
        <Password {...section} />
        <Passkeys {...section} />
        <App {...section} />
        <RecoveryCodes {...section} />
        <Sessions {...section} />
      </>
    ),
  };
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

interface ViewProps {
  readonly view: AccountView;
  readonly speech: Speech;
}

/** Cannot be dismissed: an intruder would do so first. */
function NewFactors({ view: { newFactors }, speech }: ViewProps) {
  if (newFactors.length === 0) return null;
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="new-factors" title={text('new.title')}>
      <p>{text('new.text')}</p>
      <ul class="rows">
        {newFactors.map(({ kind, name, set, isByLink }) => (
          <Row
            name={name ?? kindOf(kind, speech)}
            details={rich(isByLink ? 'new.by-link' : 'new.set', { time: <Time iso={set} speech={speech} /> })}
          />
        ))}
      </ul>
    </Section>
  );
}

function kindOf(kind: NewFactorView['kind'], { of }: Speech): string {
  if (kind === 'password') return of(ACCOUNT_TEXTS).text('password');
  return kind === 'passkey' ? of(ACCOUNT_TEXTS).text('passkeys') : of(PAGE_TEXTS).text(kind);
}

function Password({ view: { passwordChanged, mayChange, username }, speech }: ViewProps) {
  if (passwordChanged === undefined) return null;
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="password-of" title={text('password')}>
      <p>
        {passwordChanged === null
          ? text('password.none')
          : rich('password.set', { time: <Time iso={passwordChanged} speech={speech} /> })}
      </p>
      {mayChange && (
        <form method="post" action="/account/password">
          <UsernameOfPassword username={username} />
          <NewPasswordFields speech={speech} />
          <p class="muted">{text('password.others')}</p>
          <button class="button main">{text('password.submit')}</button>
        </form>
      )}
    </Section>
  );
}

function Passkeys({ view: { passkeys, noPasskeys, mayChange }, speech }: ViewProps) {
  const { text } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="passkeys-of" title={text('passkeys')}>
      {passkeys.length === 0 && <p>{text('passkeys.none')}</p>}
      {noPasskeys !== null && <p class="muted">{noPasskeys}</p>}
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
      {mayChange && noPasskeys === null && (
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

function timesOf({ created, lastUsed }: PasskeyView, speech: Speech): Child {
  const { rich } = speech.of(ACCOUNT_TEXTS);
  const added = <Time iso={created} speech={speech} />;
  if (lastUsed === null) return rich('passkeys.unused', { created: added });
  return rich('passkeys.used', { created: added, used: <Time iso={lastUsed} speech={speech} /> });
}

function App({ view: { hasTotp, mayChange }, speech: { of } }: ViewProps) {
  const { text } = of(ACCOUNT_TEXTS);
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

function RecoveryCodes({ view: { recoveryCodesLeft: count, mayChange }, speech: { of } }: ViewProps) {
  const { text } = of(ACCOUNT_TEXTS);
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

function Sessions({ view: { sessions }, speech }: ViewProps) {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return (
    <Section id="sessions-of" title={text('sessions')}>
      <ul class="rows">
        {sessions.map(({ id, created, active, isCurrent }) => (
          <Row
            name={text(isCurrent ? 'sessions.this' : 'sessions.other')}
            details={rich('sessions.times', {
              created: <Time iso={created} speech={speech} />,
              active: <Time iso={active} speech={speech} />,
            })}
          >
            {!isCurrent && (
              <DangerForm
                action={`/account/sessions/${id}/end`}
                label={text('sessions.end')}
                which={text('sessions.which', { time: speech.moment(created) })}
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
