import { download } from './download.ts';

const headPx = 28;
const padPx = 16;

/** Draws the charts under `root`, each with its title, into one PNG and hands it to the viewer. */
export function downloadPicture(root: HTMLElement, title: string, name: string): void {
  const figures = [...root.querySelectorAll('figure')];
  const parts = figures.flatMap((figure) => {
    const plot = figure.querySelector('canvas');
    return plot === null ? [] : [{ plot, text: figure.querySelector('h2')?.textContent ?? '' }];
  });
  const scale = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const ctx = canvas.getContext('2d');
  if (ctx === null || parts.length === 0) return;
  const head = headPx * scale;
  canvas.width = Math.max(...parts.map(({ plot }) => plot.width)) + 2 * padPx * scale;
  canvas.height = parts.reduce((sum, { plot }) => sum + plot.height + head, head + padPx * scale);
  const style = getComputedStyle(document.body);
  ctx.fillStyle = style.backgroundColor;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.fillStyle = style.color;
  ctx.textBaseline = 'middle';
  const write = (text: string, y: number, weight: number): void => {
    ctx.font = `${weight} ${13 * scale}px ${style.fontFamily}`;
    ctx.fillText(text, padPx * scale, y + head / 2);
  };
  write(title, 0, 600);
  let y = head;
  for (const { plot, text } of parts) {
    write(text, y, 500);
    ctx.drawImage(plot, padPx * scale, y + head);
    y += plot.height + head;
  }
  canvas.toBlob((blob) => {
    if (blob !== null) download(name, blob);
  });
}
