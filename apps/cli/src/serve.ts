export async function serve(_sources: string[], _options: object): Promise<void> {}
