import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../service/api.tsx';
import { sessionQuery } from '../../service/session.ts';
import columns from '../columns.module.css';
import { NewClient } from './create.tsx';
import { ClientList } from './list.tsx';

/** The programs that may call the service. */
export function ClientsSection() {
  const me = useQuery(sessionQuery(useApi()));
  return (
    me.data !== undefined && (
      <div className={columns['columns']}>
        <ClientList me={me.data.identityId} />
        <NewClient me={me.data.identityId} />
      </div>
    )
  );
}
