import { Button } from '../../ui/button.tsx';
import { useExploreSample } from './use-sample.ts';

/** Leads to a bot with made-up data; making it takes about a second. */
export function ExploreButton() {
  const explore = useExploreSample();
  return (
    <>
      <Button disabled={explore.isPending} onClick={() => explore.mutate()}>
        {explore.isPending ? 'Making sample data…' : 'Explore with sample data'}
      </Button>
      {explore.error !== null && <p role="status">{explore.error.message}</p>}
    </>
  );
}
