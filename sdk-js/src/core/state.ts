/** What the transport may send. Spec: Transport states. */
export type TransportState = 'active' | 'quiet' | 'disabled' | 'closed';

/** What moves it. */
export type TransportInput = 'rate_limited' | 'quiet_ended' | 'disabled' | 'shutdown';

type Step = Readonly<Record<TransportInput, TransportState>>;

/** From every state that is not final the same input leads to the same state. */
const OPEN: Step = {
  rate_limited: 'quiet',
  quiet_ended: 'active',
  disabled: 'disabled',
  shutdown: 'closed',
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

/** Nothing is taken or sent any more. */
export function isFinal(state: TransportState): boolean {
  return state === 'disabled' || state === 'closed';
}

function final(state: TransportState): Step {
  return { rate_limited: state, quiet_ended: state, disabled: state, shutdown: state };
}
