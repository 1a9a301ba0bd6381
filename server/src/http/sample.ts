import type { SampleBots } from '../sample/sample-bots.ts';
import { ApiError } from './problem.ts';
import type { Handlers } from './routes.ts';

/** The bot with made-up data. */
export function sampleHandlers(samples: SampleBots): Handlers {
  return {
    async sampleBotCreate() {
      const { botId, name } = await samples.create();
      return { botId, name };
    },
    async sampleBotRemove() {
      if (!(await samples.remove())) throw new ApiError('not_found');
      return null;
    },
  };
}
