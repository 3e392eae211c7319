// Addresses and sources as someone writes them, for tests in which they are right.
import { type Address, parseAddress } from '@skillquay/core/address';
import { type Source, sourceFrom } from '../src/sources.ts';

export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.address;
}

export async function source(argument: string, options: { as?: string; ref?: string } = {}): Promise<Source> {
  const result = await sourceFrom(argument, { cwd: '/', ...options });
  if (!result.ok) throw new Error(result.message);
  return result.source;
}
