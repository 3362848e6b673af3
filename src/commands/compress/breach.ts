import { csrfOf, gapOf, weighGuesses, withCsrf, wrongGuesses } from '../../compression/breach.js'
import { EXIT, TransportError, UsageError } from '../../errors.js'
import { encodeForm } from '../../http/form.js'
import { header, text } from '../../http/message.js'
import type { Coding } from '../../http/negotiation.js'
import type { LabConfig } from '../../lab/config.js'
import { breachLines } from '../../render/compression/breach-lines.js'
import { labTarget } from '../../targets/lab-target.js'
import type { Globals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { asker } from './ask.js'

/** Wrong guesses beside the right one, and pages for each. */
const WRONG = 6
const PAGES = 5

/** An authorization request of a client of the lab, whose login page anybody may open. */
function loginTarget({ clients }: LabConfig): string {
  const client = clients.find(
    each => each.enabled && each.response_types.includes('code') && each.redirect_uris.length > 0,
  )
  if (client === undefined) throw new UsageError('the lab file has no client that can use the code flow')
  const query = encodeForm([
    ['response_type', 'code'],
    ['client_id', client.client_id],
    ['redirect_uri', client.redirect_uris[0]],
    ['state', 'a-state'],
    ['code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    ['code_challenge_method', 'S256'],
  ])
  return `/authorization?${query}`
}

/**
 * Shows how the length of a compressed page tells a guessed secret, and that masking ends it.
 * @returns the exit code: refused where the lab's own page gives its csrf value away
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runBreach(coding: Coding, globals: Globals): Promise<number> {
  const lab = await labTarget(globals, { narrate, compression: true })
  try {
    const url = lab.urls.authorization + loginTarget(lab.config)
    const ask = asker(lab, globals)
    const first = await ask(url, { offer: null, once: true })
    const page = text(first.content)
    const value = csrfOf(page)
    const cookie = header(first, 'set-cookie')?.split(';', 1)[0]
    if (value === undefined || value === '' || cookie === undefined) {
      throw new TransportError(
        `${lab.urls.authorization} shows no login page with a csrf value (HTTP ${first.status})`,
        'EBADMSG',
      )
    }
    // The same browser each time, so that the value behind the mask stays the same.
    const again = async () =>
      text((await ask(url, { offer: null, headers: [['Cookie', cookie]], once: true })).content)
    const guesses = { right: value, wrong: wrongGuesses(value, WRONG), coding }
    const fixed = await weighGuesses(async () => withCsrf(page, value), { ...guesses, pages: 1 })
    const masked = await weighGuesses(again, { ...guesses, pages: PAGES })
    const result = {
      ...{ url, coding },
      fixed: { guesses: fixed, ...gapOf(fixed) },
      masked: { guesses: masked, ...gapOf(masked) },
    }
    if (globals.json) printJson(result)
    else print(...breachLines(result, globals))
    return result.masked.givesAway ? EXIT.refused : EXIT.done
  } finally {
    await lab.stop()
  }
}
