// What commander says of wrong arguments. It repeats them, and they may be URLs that hold a password or a token.
import { saidBack } from '@skillquay/git/user-remote';

/** What `error: unknown command '…'` quotes where it is no word. */
const NO_WORD = /^unknown command '[^'\n]*[/:]/;

export function usageText(message: string): string {
  const text = saidBack(message.replace(/^error: /, ''));
  if (!NO_WORD.test(text)) return text;
  const end = text.endsWith('\n') ? '\n' : '';
  return `${text.trimEnd()}\nA source is given to a command, such as \`skillquay serve <url>\` or \`skillquay registry add <url>\`.${end}`;
}
