export { createDemoBot } from './demo-bot.ts';
export type { DemoBotOptions } from './demo-bot.ts';
export type { Behaviour } from './behaviour.ts';
export { DEMO_COMMANDS } from './commands.ts';
