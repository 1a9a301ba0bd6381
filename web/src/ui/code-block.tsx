import { CopyButton } from './copy-button.tsx';
import styles from './code.module.css';

/** Text to copy into a file or terminal. `name` says where it goes. */
export function CodeBlock({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className={styles.block}>
      <div className={styles.bar}>
        <span>{name}</span>
        <CopyButton text={text} what={name} />
      </div>
      {/* Scrolls sideways on a phone, so the keyboard has to reach it. */}
      <pre tabIndex={0} aria-label={name}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
