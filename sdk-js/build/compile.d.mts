export declare function compile(input: string): Promise<string>;
