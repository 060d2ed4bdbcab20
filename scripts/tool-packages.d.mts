export function withTools<T>(name: string, use: (absModules: string) => Promise<T>): Promise<T>;
export function keepTools(name: string): string;
