import { useParams } from '@tanstack/react-router';
import { Page } from '../../shell/page.tsx';
import styles from './connect.module.css';
import { GuideSteps } from './guide.tsx';

/** The guide again, for a bot that exists already. */
export function ConnectPage() {
  const { bot } = useParams({ from: '/app/b/$bot/connect' });
  return (
    <Page title="Connect the bot" narrow>
      <h1>Connect the bot</h1>
      <ol className={styles.steps}>
        <GuideSteps bot={bot} apiKey={null} />
      </ol>
    </Page>
  );
}
