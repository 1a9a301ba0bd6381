import { Client, GatewayIntentBits } from 'discord.js';
import { Analytics } from '../../../dist/index.js';

const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: process.env.SIM },
});
new Analytics({ apiKey: 'k', endpoint: process.env.ENDPOINT }).attach(client);
await client.login('any.token');
