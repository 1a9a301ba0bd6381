import {
  GATEWAY_KINDS,
  GATEWAY_TYPES,
  INTENTS,
  type GatewayKind,
  type GatewayType,
} from './catalogue.ts';

/**
 * The gateway types to count under an intents bitmask, in catalogue order: those of which any
 * listed intent is on. Spec: Intent detection.
 */
export function gatewayTypesFor(intents: number): readonly GatewayType[] {
  return GATEWAY_TYPES.filter((type) => {
    const kind: GatewayKind = GATEWAY_KINDS[type];
    return kind.intents.some((name) => (intents & INTENTS[name]) !== 0);
  });
}

/** The gateway types to count under an intents bitmask, each with the dispatch that it counts. */
export function gatewayDispatchesFor(intents: number): readonly (readonly [GatewayType, string])[] {
  return gatewayTypesFor(intents).map((type) => [type, GATEWAY_KINDS[type].dispatch]);
}
