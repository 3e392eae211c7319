export async function mcp(_source: string, _options: object): Promise<void> {}
