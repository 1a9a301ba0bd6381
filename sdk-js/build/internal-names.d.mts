export declare const INTERNAL_NAMES: readonly string[];
