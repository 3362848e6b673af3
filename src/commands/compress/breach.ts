import type { Command } from 'commander'
import { loginPath, studyBreach } from '../../compression/studies/breach.js'
import type { Coding } from '../../http/negotiation.js'
import { breachLines } from '../../render/compression/breach-lines.js'
import { labTarget } from '../../targets/lab-target.js'
import { readGlobals } from '../globals.js'
import { narrate } from '../output.js'
import { studyTarget } from './study.js'

/** `compress breach`: a secret guessed by lengths. Refused when the lab's own page gives its csrf value away. */
export function runBreach({ coding }: { coding: Coding }, command: Command): Promise<void> {
  const globals = readGlobals(command)
  return studyTarget(
    labTarget(globals, { narrate, compression: true }),
    globals,
    ({ urls, config }, ask) => studyBreach(urls.authorization + loginPath(config.clients), coding, ask),
    { lines: breachLines, fails: ({ masked }) => masked.givesAway },
  )
}
