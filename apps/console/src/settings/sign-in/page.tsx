import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { lockoutQuery, networkQuery, sessionConfigQuery } from '../../service/settings/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import columns from '../columns.module.css';
import { useMissing } from '../use-missing.ts';
import { LockoutEditor } from './lockout.tsx';
import { NetworkEditor } from './network.tsx';
import { LockoutReading, NetworkReading, SessionReading } from './reading.tsx';
import { SessionEditor } from './session.tsx';
import { SIGN_IN_TEXTS } from './texts.ts';

/** From where people sign in, when failed attempts lock them, and how long they stay signed in. */
export function SignInSection() {
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const api = useApi();
  const mayChange = useMissing()('configure') === null;
  const network = useQuery(networkQuery(api));
  const lockout = useQuery(lockoutQuery(api));
  const session = useQuery(sessionConfigQuery(api));
  return (
    <div className={columns['columns']}>
      <Card title={pageText('network')}>
        {network.isError && <Failure error={network.error} onRetry={network.refetch} />}
        {network.data !== undefined &&
          (mayChange ? <NetworkEditor network={network.data} /> : <NetworkReading network={network.data.value} />)}
      </Card>
      <div className={columns['stack']}>
        <Card title={pageText('lockout')}>
          {lockout.isError && <Failure error={lockout.error} onRetry={lockout.refetch} />}
          {lockout.data !== undefined &&
            (mayChange ? <LockoutEditor lockout={lockout.data} /> : <LockoutReading lockout={lockout.data.value} />)}
        </Card>
        <Card title={pageText('session')}>
          {session.isError && <Failure error={session.error} onRetry={session.refetch} />}
          {session.data !== undefined &&
            (mayChange ? <SessionEditor session={session.data} /> : <SessionReading session={session.data.value} />)}
        </Card>
      </div>
    </div>
  );
}
