import { createDemoBot } from '@bot-analytics/chat-sim/bots';
import { Analytics } from '@vendor/chat.js';

/** The discord.js bot of the demo: a bot as people write it, and the line that connects it. */
const client = createDemoBot({ restUrl: process.env.CHAT_SIM_REST, seed: 7 });
new Analytics({ clusterId: 'demo' }).attach(client);
await client.login();
