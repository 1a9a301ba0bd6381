import { useId } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** Name of the choice for screen readers. */
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  /** `null`: none of them. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
}

/** A choice of a few, all in view: radio buttons in a row. One tab stop, arrows choose. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{props.label}</legend>
      {props.options.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
