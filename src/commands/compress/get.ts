import type { Command } from 'commander'
import { checkOffer } from '../../compression/client/ask.js'
import { measureAnswer } from '../../compression/studies/answer.js'
import { gridOf } from '../../compression/studies/grid.js'
import { OFFERS } from '../../compression/studies/offers.js'
import { getLines } from '../../render/compression/get-lines.js'
import { hexLines } from '../../render/compression/hex-lines.js'
import { tableLines } from '../../render/compression/table-lines.js'
import { type RequestFlags, studyUrl } from './study.js'

/** Flags of `compress get`. */
export interface GetFlags extends RequestFlags {
  readonly offer?: string
  /** One row for each offer that servers treat differently. */
  readonly offers?: 'all'
  readonly hex?: true
  readonly 'http1.0'?: true
  readonly head?: true
}

/** `compress get`: asks once, or with every offer, and shows the parts of the answer's bytes. */
export async function runGet(target: string, flags: GetFlags, command: Command): Promise<void> {
  checkOffer(flags.offer)
  const method = flags.head ? 'HEAD' : 'GET'
  const httpVersion = flags['http1.0'] ? '1.0' : '1.1'
  if (flags.offers === 'all') {
    return studyUrl(
      target,
      command,
      async (url, ask) => {
        const targets = [{ name: new URL(url).pathname, url }]
        const rows = await gridOf(OFFERS, targets, (to, offer) => ask(to, { method, httpVersion, offer }))
        return { method, url, offers: rows.map(({ offer, cells: [cell] }) => ({ offer, ...cell! })) }
      },
      {
        lines: ({ offers }, globals) =>
          tableLines(
            offers.map(({ offer, ...cell }) => ({ offer, cells: [cell] })),
            globals,
          ),
      },
      flags,
    )
  }
  let hex: string[] = []
  return studyUrl(
    target,
    command,
    async (url, ask) => {
      const asked = { method, httpVersion, offer: flags.offer ?? null } as const
      const { answer, body } = await measureAnswer(url, asked, ask)
      if (flags.hex) hex = ['', ...hexLines(body, answer.contentEncoding)]
      return answer
    },
    { lines: (answer, globals) => [...getLines(answer, globals), ...hex] },
    flags,
  )
}
