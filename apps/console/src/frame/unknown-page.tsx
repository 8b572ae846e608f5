import { Link } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import { Heading } from '../ui/heading.tsx';

/** What an address shows that leads nowhere. */
export function UnknownPage() {
  const { text } = useSpeech();
  return (
    <>
      <Heading title={text('page.unknown')}>
        <p>{text('page.unknown.text')}</p>
      </Heading>
      <p>
        <Link to="/">{text('nav.overview')}</Link>
      </p>
    </>
  );
}
