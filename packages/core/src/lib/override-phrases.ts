// Words by which a text turns an agent against the user it works for. Kept small, so that each can be explained.

/** What a phrase asks for; the words that a warning says of it. */
export const PURPOSES = {
  override: 'set aside the instructions it was given',
  secrecy: 'keep something from its user',
  reveal: 'give away its instructions',
  persona: 'act as if nothing bound it',
} as const;
export type Purpose = keyof typeof PURPOSES;

export interface Phrase {
  readonly purpose: Purpose;
  readonly language: string;
  /**
   * One of the words of each part, in this order. Between two parts may stand up to four filler words or, in languages
   * written without spaces, as many characters.
   */
  readonly parts: readonly (readonly string[])[];
}

const words = (text: string): readonly string[] => text.split(' ');

const IGNORE = words('ignore disregard forget override bypass discard');
/** A subject may come before `override`: settings override others, and so do messages. */
const DISREGARD = words('ignore disregard forget bypass discard');
const PREVIOUS = words('previous prior above earlier preceding former foregoing');
const INSTRUCTIONS = words(
  'instruction instructions prompt prompts rules guidelines directives directions commands programming',
);
/** Stands for up to three words of any kind. */
export const ANYTHING: readonly string[] = [];
const THIS = words('this these it');
const NEVER = words('dont never not');

export const PHRASES: readonly Phrase[] = [
  { purpose: 'override', language: 'English', parts: [IGNORE, PREVIOUS, INSTRUCTIONS] },
  {
    purpose: 'override',
    language: 'English',
    parts: [IGNORE, INSTRUCTIONS, words('above before previously')],
  },
  {
    purpose: 'override',
    language: 'English',
    parts: [IGNORE, INSTRUCTIONS, ['you'], words('were have received')],
  },
  {
    purpose: 'override',
    language: 'English',
    parts: [IGNORE, words('everything anything all'), words('above before previously')],
  },
  { purpose: 'override', language: 'English', parts: [DISREGARD, ['your'], INSTRUCTIONS] },
  {
    purpose: 'override',
    language: 'English',
    parts: [DISREGARD, ['system'], words('prompt prompts instructions')],
  },
  {
    purpose: 'override',
    language: 'English',
    parts: [DISREGARD, words('user users'), words('instruction instructions request requests wishes')],
  },
  {
    purpose: 'secrecy',
    language: 'English',
    parts: [NEVER, words('tell inform alert notify'), words('user users'), words('about of that'), THIS],
  },
  {
    purpose: 'secrecy',
    language: 'English',
    parts: [NEVER, words('mention reveal disclose report'), THIS, ANYTHING, ['to'], words('user users')],
  },
  {
    purpose: 'secrecy',
    language: 'English',
    parts: [NEVER, ['let'], words('user users'), words('know notice')],
  },
  {
    purpose: 'secrecy',
    language: 'English',
    parts: [words('hide conceal'), THIS, ANYTHING, ['from'], words('user users')],
  },
  {
    purpose: 'secrecy',
    language: 'English',
    parts: [['keep'], THIS, words('secret hidden'), ['from'], words('user users')],
  },
  {
    purpose: 'reveal',
    language: 'English',
    parts: [
      words('reveal print output repeat show leak display send'),
      ['your'],
      ['system'],
      words('prompt message instructions'),
    ],
  },
  {
    purpose: 'persona',
    language: 'English',
    parts: [['you'], ['are'], ['now'], ['in'], words('developer debug god jailbreak'), ['mode']],
  },
  {
    purpose: 'persona',
    language: 'English',
    parts: [['you'], ['are'], ['now'], words('dan jailbroken unrestricted')],
  },
  {
    purpose: 'persona',
    language: 'English',
    parts: [
      ['you'],
      words('have are'),
      ['no'],
      words('restrictions limitations longer'),
      words('anymore bound'),
    ],
  },
  {
    purpose: 'persona',
    language: 'English',
    parts: [
      words('pretend act imagine'),
      ['you'],
      ['have'],
      ['no'],
      words('restrictions limitations rules guidelines'),
    ],
  },
  {
    purpose: 'override',
    language: 'German',
    parts: [
      words('ignoriere ignorieren ignorier missachte vergiss vergessen'),
      words('vorherigen bisherigen vorigen früheren obigen'),
      words('anweisungen instruktionen regeln befehle vorgaben'),
    ],
  },
  {
    purpose: 'override',
    language: 'French',
    parts: [
      words('ignore ignorez oublie oubliez'),
      words('instructions consignes directives règles'),
      words('précédentes antérieures'),
    ],
  },
  {
    purpose: 'override',
    language: 'Spanish',
    parts: [
      words('ignora ignore ignorad olvida olvide'),
      words('instrucciones indicaciones órdenes reglas'),
      words('anteriores previas'),
    ],
  },
  {
    purpose: 'override',
    language: 'Portuguese',
    parts: [
      words('ignore ignora esqueça esquece'),
      words('instruções orientações regras ordens'),
      words('anteriores prévias'),
    ],
  },
  {
    purpose: 'override',
    language: 'Italian',
    parts: [
      words('ignora ignorate dimentica dimenticate'),
      words('istruzioni indicazioni regole'),
      ['precedenti'],
    ],
  },
  {
    purpose: 'override',
    language: 'Russian',
    parts: [
      words('игнорируй игнорируйте проигнорируй забудь забудьте'),
      words('предыдущие прежние прошлые'),
      words('инструкции указания правила'),
    ],
  },
  {
    purpose: 'override',
    language: 'Chinese',
    parts: [
      words('忽略 无视 無視 忘记 忘記 忘掉'),
      words('之前 以上 上述 先前 此前 前面 所有'),
      words('指令 指示 提示词 提示詞 命令 规则 規則'),
    ],
  },
  {
    purpose: 'override',
    language: 'Japanese',
    parts: [
      words('以前の 前の これまでの 上記の 今までの'),
      words('指示 命令 プロンプト ルール'),
      words('無視 忘れ'),
    ],
  },
  {
    purpose: 'override',
    language: 'Korean',
    parts: [words('이전 위의 앞의 지금까지의'), words('지시 명령 프롬프트 규칙'), words('무시 잊어')],
  },
];

/** Words that change nothing about what a phrase asks for. */
export const FILLERS: ReadonlySet<string> = new Set(
  words(
    'all any the your my our its their his her of these those this that every everything other and or both in from to a an be being ' +
      'user users system existing original given initial safety previous prior above earlier preceding ' +
      'alle allen deine deiner ihre die den der meine von und ' +
      'toutes tous les tes vos mes des ' +
      'todas todos las los tus sus mis de del ' +
      'as os suas teus seus ' +
      'tutte tutti le gli tue tuoi ' +
      'все всю твои свои эти',
  ),
);

/** Languages written without spaces, or with endings that grow onto the word: parts are looked for as they stand. */
export const JOINED_LANGUAGES: ReadonlySet<string> = new Set(['Chinese', 'Japanese', 'Korean']);
