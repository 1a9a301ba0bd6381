import type { RestHandler, RestRoute } from './route.ts';

/** Path parts that are no ids keep their name in the ledger's route. */
const NAMED_PARTS: ReadonlySet<string> = new Set(['token', 'emoji', 'code']);

export interface RouteMatch {
  /** Without ids: `/channels/{id}/messages`. Key of ledger, rate limits and faults. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly open: boolean;
  /** Absent when no handler is there: the platform says 404. */
  readonly handler?: RestHandler;
}

interface CompiledRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly route: string;
  readonly handler: RestHandler;
  readonly open: boolean;
}

/** Finds the handler of a method and path, first match wins. */
export class Router {
  readonly #routes: readonly CompiledRoute[];

  constructor(routes: readonly RestRoute[]) {
    this.#routes = routes.map(([method, template, handler, access]) => ({
      method,
      pattern: compile(template),
      route: routeName(template),
      handler,
      open: access === 'open',
    }));
  }

  /** `path` without the `/api/vN` prefix and the query. */
  match(method: string, path: string): RouteMatch {
    for (const candidate of this.#routes) {
      if (candidate.method !== method) continue;
      const found = candidate.pattern.exec(path);
      if (found === null) continue;
      const params = Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)]),
      );
      return { route: candidate.route, params, open: candidate.open, handler: candidate.handler };
    }
    return { route: withoutIds(path), params: {}, open: false };
  }
}

/** `/api/v10/gateway` → `/gateway`; `undefined` outside /api. `%40me` reads as `@me`. */
export function stripApiPrefix(path: string): string | undefined {
  return /^\/api(?:\/v\d+)?(\/.*)$/.exec(path)?.[1]?.replaceAll('%40', '@');
}

function compile(template: string): RegExp {
  const source = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
  return new RegExp(`^${source}$`);
}

function routeName(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, (part, name: string) =>
    NAMED_PARTS.has(name) ? part : '{id}',
  );
}

function withoutIds(path: string): string {
  return path.replaceAll(/\d{17,20}/g, '{id}');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
