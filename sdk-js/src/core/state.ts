/** What the transport may send. Spec: Transport states. */
export type TransportState = 'active' | 'quiet' | 'disabled' | 'closed';

/** What moves it. */
export type TransportInput = 'rate-limited' | 'quiet-ended' | 'refused' | 'shut-down';

type Step = Readonly<Record<TransportInput, TransportState>>;

/** From every state that is not final the same input leads to the same state. */
const OPEN: Step = {
  'rate-limited': 'quiet',
  'quiet-ended': 'active',
  refused: 'disabled',
  'shut-down': 'closed',
};

/**
 * Every pair of state and input. `disabled` and `closed` are final: a 429 that arrives after a 401
 * or after the shutdown changes nothing.
 */
export const STEPS: Readonly<Record<TransportState, Step>> = {
  active: OPEN,
  quiet: OPEN,
  disabled: final('disabled'),
  closed: final('closed'),
};

function final(state: TransportState): Step {
  return { 'rate-limited': state, 'quiet-ended': state, refused: state, 'shut-down': state };
}
