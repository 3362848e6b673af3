import { inspect } from 'node:util'
import { maskUrl, maskValue } from '../../protocol/safe-output/mask.js'
import { isSecretName } from '../../protocol/safe-output/secret-names.js'
import { programVersion } from '../../protocol/version.js'
import { inSourceTerms } from '../listening/source-stack.js'
import { type StateHome, statePath, writeState } from './state-folder.js'

/** Writes versions, platform, the masked command line and the stack in lines of the source. @returns the path */
export async function writeCrashReport(home: StateHome, error: unknown, now = Date.now()): Promise<string> {
  const time = new Date(now).toISOString()
  const name = `crash-${time.replace(/[:.]/g, '-')}-${process.pid}.txt`
  const lines = [
    `oauth-lab ${programVersion()} on Node ${process.version}, ${process.platform} ${process.arch}`,
    time,
    `Command:  ${['oauth-lab', ...maskedCommand(process.argv.slice(2))].join(' ')}`,
    '',
    inSourceTerms(inspect(error, { depth: 3 })),
    '',
  ]
  await writeState(home, name, lines.join('\n'))
  return statePath(home, name)
}

const DOTS = '•••'

/** Values that are secrets, people, or addresses with secrets. */
const secretOption = /^--?(?:.*(?:secret|password|token|key|user|email|hook|header|answer|state)|H)/

/** Longer words may be tokens or API keys. */
const MAX_PLAIN = 24

function maskWord(word: string): string {
  if (/^https?:/i.test(word)) return maskUrl(word, 'all').replace(/\/\/[^/]*@/, `//${DOTS}@`)
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(word)) return maskValue(word)
  return word.length > MAX_PLAIN && /^[\w.~+=-]+$/.test(word) ? maskValue(word) : word
}

/** Hides secrets: people attach a crash report to a bug report. */
export function maskedCommand(words: readonly string[]): string[] {
  return words.map((word, i) => {
    const [, option, value] = /^(--?[^=]+)=(.*)$/s.exec(word) ?? []
    if (option !== undefined && value !== undefined) {
      return `${option}=${secretOption.test(option) ? DOTS : maskWord(value)}`
    }
    const [, name, given] = /^([\w-]+)=(.*)$/s.exec(word) ?? []
    if (name !== undefined && given !== undefined) {
      return `${name}=${isSecretName(name) ? DOTS : maskWord(given)}`
    }
    if (word.startsWith('-')) return word
    return secretOption.test(words[i - 1] ?? '') ? DOTS : maskWord(word)
  })
}
