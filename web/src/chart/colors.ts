/** Font of labels on a canvas, CSS px. */
export const CHART_FONT = '12px "Inter Variable", system-ui, sans-serif';

/** A colour token as the canvas needs it: resolved for the theme of the page. */
export function colorReader(host: HTMLElement): (token: string) => string {
  return (token) => {
    host.style.color = `var(${token})`;
    const { color } = getComputedStyle(host);
    host.style.color = '';
    return color;
  };
}
