import { UsageError } from '../../protocol/errors.js'
import { hasZstd, NO_ZSTD } from '../../protocol/http/codings.js'
import type { Coding } from '../../protocol/http/negotiation.js'
import { loginPath, studyBreach } from '../../servers/compression/studies/breach.js'
import { labTarget } from '../../session/targets/lab.js'
import { breachLines } from '../../show/render/compression/breach-lines.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { studyTarget } from './study.js'

/** `compress breach`: a secret guessed by lengths. Refused when the lab's own page gives its csrf value away. */
export function runBreach({ coding }: { coding: Coding }, globals: Globals): Promise<void> {
  if (coding === 'zstd' && !hasZstd) throw new UsageError(NO_ZSTD, ['Take another coding:   --coding br'])
  return studyTarget(
    labTarget(globals, { narrate, compression: true }),
    globals,
    ({ urls, config }, ask) => studyBreach(urls.authorization + loginPath(config.clients), coding, ask),
    { lines: breachLines, fails: ({ masked }) => masked.givesAway },
  )
}
