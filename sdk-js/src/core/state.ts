/** What the transport may send. Spec: Transport states. */
export type TransportState = 'active' | 'quiet' | 'disabled' | 'closed';

/** What moves it. */
export type TransportInput = 'rate-limited' | 'quiet-ended' | 'refused' | 'shut-down';

/**
 * Every pair of state and input. `disabled` and `closed` are final: a 429 that arrives after a 401
 * or after the shutdown changes nothing.
 */
export const STEPS = {
  active: {
    'rate-limited': 'quiet',
    'quiet-ended': 'active',
    refused: 'disabled',
    'shut-down': 'closed',
  },
  quiet: {
    'rate-limited': 'quiet',
    'quiet-ended': 'active',
    refused: 'disabled',
    'shut-down': 'closed',
  },
  disabled: {
    'rate-limited': 'disabled',
    'quiet-ended': 'disabled',
    refused: 'disabled',
    'shut-down': 'disabled',
  },
  closed: {
    'rate-limited': 'closed',
    'quiet-ended': 'closed',
    refused: 'closed',
    'shut-down': 'closed',
  },
} as const satisfies Record<TransportState, Record<TransportInput, TransportState>>;
