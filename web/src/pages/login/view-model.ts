/**
 * The one-time token out of an address fragment (`#token=…`), a whole login link, or the bare token
 * that someone pasted; `null` when there is none.
 */
export function tokenFrom(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const hash = trimmed.indexOf('#');
  if (hash >= 0) return new URLSearchParams(trimmed.slice(hash + 1)).get('token');
  return /^[\w.~-]{8,200}$/.test(trimmed) ? trimmed : null;
}

/** Where to go after the login: only an address of this page, never another site. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || next.startsWith('/login')) return '/';
  return next;
}
