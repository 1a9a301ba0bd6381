export { readConfig, SETTINGS, StartError, type Config } from './config.ts';
export { systemEnv, type Env } from './env.ts';
export {
  startServer,
  type EmbeddedStore,
  type RunningServer,
  type ServerOptions,
} from './start.ts';
