import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

/** Looks of a button. */
export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet';

/** Class names of a button, for links that look like one. */
export function buttonClass(kind: ButtonKind = 'plain', small = false): string {
  const parts = [styles.button, kind === 'plain' ? undefined : styles[kind]];
  if (small) parts.push(styles.small);
  return parts.filter((part) => part !== undefined).join(' ');
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly small?: boolean;
  readonly children: ReactNode;
}

/** A button that does not submit unless told to. */
export function Button({ kind = 'plain', small = false, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={buttonClass(kind, small)}>
      {children}
    </button>
  );
}
