import { type RuleDocuments, splitRule } from './documents.js'
import type { RuleBook, RuleEntry } from './entry.js'

/** The number of a section in a question: `§4.1.2`, `4.1.2`, `Appendix B`. */
const SECTION = /^(?:§|section )?(\d+(?:\.\d+)*(?:-\d+)?|appendix [a-z](?:\.\d+)*)$/

/** The name of an RFC in a question: `6749`, `RFC 6749`, `rfc6749`. */
const RFC = /^(?:rfc ?)?(\d{4})$/

/** True when the section is that one, or lies below it. */
function isBelow(section: string, wanted: string): boolean {
  const own = section.toLowerCase().replace('§', '')
  return own === wanted || own.startsWith(`${wanted}.`) || own.startsWith(`${wanted}-`)
}

/** Splits a question into a document and a section, where it names them. */
function parts(
  question: string,
  documents: RuleDocuments,
): { readonly document?: string; readonly section?: string } {
  const [, before = '', after] = /^(.*?) ?((?:§|section |appendix ).*)$/.exec(question) ?? [
    undefined,
    question,
  ]
  const rfc = RFC.exec(before)
  const named = Object.keys(documents).find(name => name.toLowerCase() === before)
  const numbered = rfc && `RFC ${rfc[1]}`
  const document = numbered && Object.hasOwn(documents, numbered) ? numbered : named
  const section = after === undefined ? undefined : SECTION.exec(after.trim())?.[1]
  return {
    ...(document !== undefined && { document }),
    ...(section !== undefined && (before === '' || document !== undefined) && { section }),
  }
}

/** The text of an entry that words are searched in. */
function textOf({ rule, sentence, places }: RuleEntry, documents: RuleDocuments): string {
  const { title } = documents[splitRule(rule).document]
  return [rule, title, sentence, ...places.flatMap(({ names }) => names)].join('\n').toLowerCase()
}

/**
 * Returns the rules that a question is about: a document (`6749`, `RFC 9700`), a section and those below it
 * (`§4.1.2`, `RFC 6749 §4`), or words of which each stands in the rule, its sentence or its names. Empty for none.
 */
export function findRules({ documents, entries }: RuleBook, question: string): readonly RuleEntry[] {
  const asked = question.trim().toLowerCase().replace(/\s+/g, ' ')
  const { document, section } = parts(asked, documents)
  if (document !== undefined || section !== undefined) {
    return entries.filter(({ rule }) => {
      const own = splitRule(rule)
      return (
        (document === undefined || own.document === document) &&
        (section === undefined || isBelow(own.section, section))
      )
    })
  }
  const words = asked.split(' ')
  return entries.filter(entry => {
    const text = textOf(entry, documents)
    return words.every(word => text.includes(word))
  })
}

/** Returns everything that `findRules` knows: documents, names of places, and words of the sentences. */
export function knownWords({ documents, entries }: RuleBook): readonly string[] {
  const names = Object.keys(documents)
  const words = new Set([...names, ...names.map(name => name.replace('RFC ', ''))])
  for (const { rule, sentence, places } of entries) {
    words.add(rule)
    for (const { names } of places) for (const name of names) words.add(name)
    for (const word of sentence.match(/[\w-]{4,}/g) ?? []) words.add(word.toLowerCase())
  }
  return [...words]
}
