import { isBreach } from '../../protocol/oauth/check.js'
import { defined } from '../../protocol/values.js'
import { lintResource } from '../../servers/compression/lint/lint.js'
import { lintLines } from '../../show/render/compression/lint-lines.js'
import type { Globals } from '../program/globals.js'
import type { RequestFlags } from './options.js'
import { studyUrl } from './study.js'

/** `compress lint`: asks for one resource in several ways and compares. Refused when a check fails. */
export function runLint(target: string, flags: RequestFlags, globals: Globals): Promise<void> {
  return studyUrl(
    target,
    globals,
    async (url, ask) => {
      const { server, checks } = await lintResource(url, ask)
      const verdict = checks.some(isBreach) ? 'refused' : 'accepted'
      return { ...defined({ url, verdict, server }), checks }
    },
    {
      lines: ({ url, server, checks }, globals) => lintLines(url, { server, checks }, globals),
      fails: ({ verdict }) => verdict === 'refused',
    },
    flags,
  )
}
