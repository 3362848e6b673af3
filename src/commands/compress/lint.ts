import { lintResource } from '../../compression/studies/lint.js'
import { isBreach } from '../../oauth/check.js'
import { lintLines } from '../../render/compression/lint-lines.js'
import type { Globals } from '../globals.js'
import { studyUrl } from './study.js'

/** `compress lint`: asks for one resource in several ways and compares. Refused when a check fails. */
export function runLint(target: string, globals: Globals): Promise<number> {
  return studyUrl(
    target,
    globals,
    async (url, ask) => {
      const checks = await lintResource(url, ask)
      return { url, verdict: checks.some(isBreach) ? 'refused' : 'accepted', checks }
    },
    {
      lines: ({ url, checks }) => lintLines(url, checks, globals),
      fails: ({ verdict }) => verdict === 'refused',
    },
  )
}
