import { CopyButton } from './copy-button.tsx';
import styles from './code.module.css';

interface SecretProps {
  readonly text: string;
  /** Of the copy button: "key". */
  readonly what: string;
  /** Stands before the text. */
  readonly label?: string;
}

/** A text that is shown once, with its way to the clipboard. */
export function Secret({ text, what, label }: SecretProps) {
  return (
    <div className={styles.secret}>
      {label !== undefined && <span className={styles.label}>{label}</span>}
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}
