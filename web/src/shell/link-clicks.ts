/** What of a click decides whether the page handles it itself. */
interface LinkClick {
  readonly defaultPrevented: boolean;
  readonly button: number;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** An anchor as far as it matters. */
interface LinkTarget {
  readonly href: string;
  readonly target: string;
  readonly hasDownload: boolean;
}

/**
 * The address to go to inside the app, or `null` when the browser should handle the click. Plain
 * anchors with one listener cost nothing each; 2,000 router links would each follow the router.
 */
export function inAppAddress(click: LinkClick, link: LinkTarget, origin: string): string | null {
  if (click.defaultPrevented || click.button !== 0) return null;
  if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return null;
  if (link.hasDownload || (link.target !== '' && link.target !== '_self')) return null;
  const url = new URL(link.href);
  if (url.origin !== origin || url.pathname.startsWith('/v1/')) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Sends clicks on plain anchors to `go`. Returns the way to stop. */
export function followLinks(root: Document, go: (address: string) => void): () => void {
  const onClick = (event: MouseEvent): void => {
    const from = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(from instanceof HTMLAnchorElement)) return;
    const link = {
      href: from.href,
      target: from.target,
      hasDownload: from.hasAttribute('download'),
    };
    const address = inAppAddress(event, link, window.location.origin);
    if (address === null || address.startsWith(`${window.location.pathname}#`)) return;
    event.preventDefault();
    go(address);
  };
  root.addEventListener('click', onClick);
  return () => {
    root.removeEventListener('click', onClick);
  };
}
