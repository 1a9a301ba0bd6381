import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './login.module.css';
import { safeNext, tokenFrom } from './view-model.ts';

const WRONG = 'This is neither a login link nor a token.';

function useLogin() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/login' });
  return useMutation({
    mutationFn: (token: string) => call('sessionCreate', { body: { token } }),
    onSuccess: async (session) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await navigate({ href: safeNext(next), replace: true });
    },
  });
}

/** Takes the token out of the fragment at once, so that it stays neither in the address nor in the history. */
function takeToken(): string | null {
  const token = tokenFrom(window.location.hash);
  if (window.location.hash !== '') {
    window.history.replaceState(window.history.state, '', `/login${window.location.search}`);
  }
  return token;
}

/** Exchanges the link that the server printed for a session. */
export function LoginPage() {
  const login = useLogin();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const { mutate } = login;
  useEffect(() => {
    document.title = 'Log in · Bot Analytics';
    const token = takeToken();
    if (token !== null) mutate(token);
  }, [mutate]);
  const submit = (): void => {
    const token = tokenFrom(text);
    setWrong(token === null);
    if (token !== null) mutate(token);
  };
  const error = wrong ? WRONG : login.error?.message;
  return (
    <main className={styles.login}>
      <div className={styles.box}>
        <img src="/icon.svg" alt="" />
        <div>
          <h1>Log in to Bot Analytics</h1>
          <p className={styles.lead}>
            The server prints a login link when it starts; it works once, within a day.{' '}
            <code>npm run -s cli -- login</code> makes another, which works once, within 15 minutes.
            Open the link, or paste it here.
          </p>
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field
            label="Login link or token"
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            error={error}
          />
          <Button type="submit" kind="primary" disabled={login.isPending}>
            {login.isPending ? 'Logging in…' : 'Log in'}
          </Button>
        </form>
      </div>
    </main>
  );
}
