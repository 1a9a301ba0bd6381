import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A stream that ended because the session did leads to the login. */
export function useLoginOn401(status: number | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (status !== 401) return;
    const next = `${window.location.pathname}${window.location.search}`;
    void navigate({ to: '/login', search: { next } });
  }, [status, navigate]);
}
