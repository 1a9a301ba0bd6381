export declare function toClosures(code: string): string;
