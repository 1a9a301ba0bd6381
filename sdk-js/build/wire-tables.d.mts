export declare function wireTables(id: string): string | null;
