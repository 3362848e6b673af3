/** A word that hides the meaning of a sentence, and the plain words for it. */
interface HiddenWord {
  readonly pattern: RegExp
  readonly say: string
}

/**
 * The words of the style guide. Patterns spare the same letters in another sense: HTTP's "not found", "leave" as a verb, words of a
 * shell, "look up".
 */
const hiddenWords: readonly HiddenWord[] = [
  {
    pattern: /\blooks (?!like\b|(?:\w+ )?up\b)|\ba look\b(?!-)|\blook(?:s|ed|ing)? (?:at|whether)\b/i,
    say: 'check',
  },
  { pattern: /\bpatients?\b/i, say: 'server under test' },
  { pattern: /\b(?:tells?|told|telling)\b/i, say: 'report, emit, print, return' },
  { pattern: /\bwhat (?:(?:was|is|were|it|each|a side|the \w+) )*found\b/i, say: 'result, record' },
  {
    pattern:
      /\b(?:in|into) (?:(?:a few|the|its|their|other|own|same) )?words\b|\b(?:the|same) words (?:of (?!(?:an?|every) )|that )/i,
    say: 'text, messages',
  },
  { pattern: /\bstandings?\b/i, say: 'status, summary' },
  { pattern: /\bhappenings?\b/i, say: 'events' },
  { pattern: /\bwires\b/i, say: 'middleware, transport' },
  { pattern: /\bacquaintances?\b/i, say: 'discovery, handshake' },
  { pattern: /\b(?:late|light)-(?!my-request)\w/i, say: 'lazy, minimal' },
  { pattern: /\bby hand\b/i, say: 'manual, manually' },
  { pattern: /\bof ours\b/i, say: 'our' },
  { pattern: /\banew\b/i, say: 'again' },
  { pattern: /\bso many\b/i, say: 'that many' },
  { pattern: /(?<!\b(?:there|prompt) )\b(?:is|are|was|were) none\b/i, say: 'is not one' },
  { pattern: /\bwhoever\b/i, say: 'anyone who' },
  { pattern: /(?<!@param )\bheeds?\b/i, say: 'honours' },
  { pattern: /\b(?:for|your|without|asks?|gives?) leave\b|\bleave to\b/i, say: 'permission' },
]

/** Openings of a docstring that make a riddle of the name below it. */
export const riddle = /^\/\*\*[\s*]*(?:What|Whether|Who|Whom|Whose|Where)\b/

/** The hidden words of a text, each with the plain words for it. */
export function hiddenIn(text: string): string[] {
  return hiddenWords.flatMap(({ pattern, say }) => {
    const [word] = pattern.exec(text) ?? []
    return word === undefined ? [] : [`“${word.trim()}”: say ${say}`]
  })
}
