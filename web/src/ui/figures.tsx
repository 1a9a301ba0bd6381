import styles from './figures.module.css';

/** One number with its name and what it means. */
export interface Figure {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** Every digit, where `value` is shortened. */
  readonly full?: string;
  readonly help: string;
}

/** The numbers at the top of a page. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, label, value, full, help }) => (
        <div key={key} className={styles.figure} data-clip="figure">
          <dt>{label}</dt>
          <dd title={full}>{value}</dd>
          <dd>{help}</dd>
        </div>
      ))}
    </dl>
  );
}
