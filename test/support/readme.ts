import { read } from './source-files.js'

/** The fenced blocks of README.md in one language, without their fences. */
export function readmeBlocks(language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...read('README.md').matchAll(fenced)].map(each => each[1] ?? '')
}

/** What is typed, and what is said about it. */
export interface CommandLine {
  readonly line: string
  /** Without its `#`; empty where there is none. */
  readonly comment: string
}

/** The command lines of a shell block; continued ones are one line. */
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

/** What stands between backticks in the sentences and tables of README.md. */
export function readmeWords(): string[] {
  const sentences = read('README.md').replace(/^```[\s\S]*?^```$/gm, '')
  return [...sentences.matchAll(/`([^`]+)`/g)].map(each => (each[1] ?? '').replace(/\s+/g, ' '))
}
