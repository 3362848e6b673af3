import type { Command } from 'commander'
import { lintResource } from '../../compression/studies/lint.js'
import { isBreach } from '../../oauth/check.js'
import { lintLines } from '../../render/compression/lint-lines.js'
import { type RequestFlags, studyUrl } from './study.js'

/** `compress lint`: asks for one resource in several ways and compares. Refused when a check fails. */
export function runLint(target: string, flags: RequestFlags, command: Command): Promise<void> {
  return studyUrl(
    target,
    command,
    async (url, ask) => {
      const checks = await lintResource(url, ask)
      return { url, verdict: checks.some(isBreach) ? 'refused' : 'accepted', checks }
    },
    {
      lines: ({ url, checks }, globals) => lintLines(url, checks, globals),
      fails: ({ verdict }) => verdict === 'refused',
    },
    flags,
  )
}
