/** A client of discord.js, as far as TypeScript has to know it. */
export interface ChatClient {
  readonly options: object;
  readonly rest: object;
  readonly ws: object;
  readonly guilds: object;
}
