import type { Command } from 'commander'
import { nearest } from '../../protocol/nearest.js'

/** Words that people type, and the command that does what they mean; by the command that the word stands below. */
const OTHER_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'oauth-lab': {
    login: 'flow code',
    signin: 'flow code',
    authorize: 'flow code',
    authorization: 'flow code',
    start: 'serve',
    run: 'serve',
    server: 'serve',
    decode: 'jwt decode',
    verify: 'jwt verify',
    sign: 'jwt sign',
    test: 'doctor',
    check: 'doctor',
    lint: 'doctor',
    debug: 'explain',
    har: 'explain',
    lesson: 'learn start',
    lessons: 'learn list',
    tutorial: 'learn',
    request: 'call',
    curl: 'call',
    dns: 'cf dns',
    kubernetes: 'k8s',
    stages: 'help stages',
    profiles: 'help profiles',
    'exit-codes': 'help exit-codes',
    environment: 'help environment',
    events: 'help events',
  },
  flow: {
    login: 'flow code',
    authcode: 'flow code',
    'authorization-code': 'flow code',
    pkce: 'flow code',
    ropc: 'flow password',
    client: 'flow client-credentials',
    saml: 'flow assertion',
    'jwt-bearer': 'flow assertion',
    exchange: 'flow token-exchange',
  },
}

/** The next move after a word that is no command below `parent`: a near name, or the command for what the word means. */
export function wordHints(word: string, parent: Command): string[] {
  const others = OTHER_WORDS[parent.name()] ?? {}
  const names = parent.commands.flatMap(each => [each.name(), ...each.aliases()])
  // `logn` is nearer to a login than to its opposite.
  const near = nearest(word.replaceAll('_', '-'), [...names, ...Object.keys(others)])
  if (near === undefined) return []
  const meant = names.includes(near) ? near : `oauth-lab ${others[near]}`
  return [`Did you mean ${meant}?`]
}
