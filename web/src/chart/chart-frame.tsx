import { useId } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react';
import { useReadOut } from './reading.ts';
import styles from './time-chart.module.css';

interface ChartFrameProps {
  readonly title: string;
  /** One sentence that says what the chart shows, for those who do not see it. */
  readonly summary: string;
  /** Words for the value that is read; '' for none. */
  readonly words: string;
  /** The box of the plot, which takes the keys. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerMove?: (event: PointerEvent) => void;
  readonly onPointerLeave?: () => void;
  /** Stands below the plot. */
  readonly legend?: ReactNode;
  /** Stands in the box. */
  readonly children?: ReactNode;
}

/** What every chart has around its plot: title, summary or the value that is read, and its read-out. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, summary, words, box, legend, children } = props;
  const { onKeyDown, onPointerMove, onPointerLeave } = props;
  const id = useId();
  const spoken = useReadOut(words, words !== '' && document.activeElement === box.current);
  return (
    <figure className={styles.chart} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        <span className={styles.read} aria-hidden="true">
          {words === '' ? summary : words}
        </span>
      </div>
      {/* Arrows move what is read. */}
      <div
        ref={box}
        className={styles.plot}
        tabIndex={0}
        role="img"
        aria-label={`${title}. ${summary} Arrow keys read single values.`}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={onPointerLeave}
      >
        {children}
      </div>
      {legend}
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </figure>
  );
}
