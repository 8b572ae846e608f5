import { useSpeech } from '../languages/context.tsx';
import styles from './lost.module.css';
import { useFrame } from './state.tsx';

/** Says that there is no connection to the service, until there is one again. */
export function Lost() {
  const { text } = useSpeech();
  const { isLost } = useFrame();
  return (
    <div role="status" className={isLost ? styles['lost'] : 'away'}>
      {isLost && text('live.lost')}
    </div>
  );
}
