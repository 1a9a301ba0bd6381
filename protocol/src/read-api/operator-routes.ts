import { none, type Route } from './route.ts';

/** Probes and figures for the operator. */
export const OPERATOR_ROUTES = {
  healthz: {
    ...none,
    method: 'GET',
    path: '/healthz',
    callers: ['anyone'],
    answer: 'text',
    status: 200,
    errors: [],
    doc: 'The process lives',
  },
  readyz: {
    ...none,
    method: 'GET',
    path: '/readyz',
    callers: ['anyone'],
    answer: 'text',
    status: 200,
    errors: ['store_unavailable'],
    doc: 'Events can be accepted',
  },
  metrics: {
    ...none,
    method: 'GET',
    path: '/metrics',
    callers: ['admin'],
    answer: 'text',
    status: 200,
    errors: ['key_unknown'],
    doc: 'Figures of the server for Prometheus',
  },
} as const satisfies Record<string, Route>;
