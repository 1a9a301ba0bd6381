export { main, usage } from './cli.ts';
export type { Env } from './env.ts';
