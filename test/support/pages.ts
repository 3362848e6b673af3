import { filesBelow, read } from './source-files.js'

/** README.md and the pages of docs/. */
export const pages: readonly string[] = [
  'README.md',
  ...filesBelow('docs')
    .filter(file => file.endsWith('.md'))
    .sort(),
]

/** The fenced blocks of a page in one language, without their fences. */
export function blocksOf(page: string, language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...read(page).matchAll(fenced)].map(each => each[1] ?? '')
}

/** The drawing of a screen on a page. @param text a text that this drawing alone has */
export function drawing(page: string, text: string): string {
  const drawn = blocksOf(page, 'text').find(each => each.includes(text))
  if (drawn === undefined) throw new Error(`${page} has no drawing with ${text}`)
  return drawn
}

/** A command line of a shell block and the comment behind it. */
export interface CommandLine {
  readonly line: string
  /** Without its `#`; empty when there is none. */
  readonly comment: string
}

/** The command lines of a shell block; continued lines become one line. */
export function commandLines(block: string): CommandLine[] {
  return block
    .replace(/ *\\\n */g, ' ')
    .split('\n')
    .filter(line => line !== '')
    .map(each => {
      const [line = '', comment = ''] = each.split(/ +# /)
      return { line, comment }
    })
}

/** The texts between backticks in the sentences and tables of a page. */
export function codeWords(page: string): string[] {
  const sentences = read(page).replace(/^```[\s\S]*?^```$/gm, '')
  return [...sentences.matchAll(/`([^`]+)`/g)].map(each => (each[1] ?? '').replace(/\s+/g, ' '))
}
