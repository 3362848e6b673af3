import { isBreach } from '../../protocol/oauth/check.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import { explainToken } from '../../protocol/tokens/explain.js'
import { verifyJwt, verifySdJwt } from '../../protocol/tokens/verify.js'
import { defined } from '../../protocol/values.js'
import { checkSources, findKeys } from '../../session/tokens/token-keys.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { jwtJson } from '../../show/render/tokens/jwt-json.js'
import { jwtLines } from '../../show/render/tokens/jwt-lines.js'
import { narrate, print, printData, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { JwtFlags } from './jwt-flags.js'
import { decodeGiven, givenToken } from './jwt-input.js'
import { decodeGivenSdJwt } from './sd-jwt-input.js'

/**
 * `oauth-lab jwt verify`: every check with its rule, and a verdict.
 * @returns the exit code: refused where one check failed
 */
export async function verifyToken(
  argument: string | undefined,
  flags: JwtFlags,
  globals: Globals,
): Promise<number> {
  checkSources(argument, flags)
  if (flags.insecure) {
    narrate(
      'warning: --insecure: no certificate is checked. Anyone on the way to the keys can replace them, and sign this token.',
    )
  }
  const text = await givenToken(argument)
  const sdJwt = text.includes('~') ? decodeGivenSdJwt(text) : undefined
  const token = sdJwt === undefined ? decodeGiven(text) : { ...sdJwt.jwt, claims: sdJwt.claims }
  const { keys, issuer, notes = [] } = await findKeys(flags, globals, token)
  const { audience, nonce } = flags
  const now = Date.now()
  const expected = { now, mayLackExp: true, ...defined({ issuer, audience, nonce }) }
  const { ok, checks } = await (sdJwt === undefined
    ? verifyJwt(text, keys, expected)
    : verifySdJwt(sdJwt, keys, expected))
  const explained = explainToken(token)
  const { lint } = explained
  const verdict = ok ? 'accepted' : 'refused'
  if (globals.json) printData(jwtJson({ verdict, token, explained, lint, checks, ...defined({ sdJwt }) }))
  else {
    const signs = signsFor(globals)
    const unchecked = [
      ...(issuer === undefined ? ['The issuer was not checked: --issuer does.'] : []),
      ...(audience === undefined ? ['The audience was not checked: --audience does.'] : []),
    ]
    const shown = {
      explained,
      lint,
      checks,
      notes: [...notes, ...unchecked],
      ...defined({ disclosed: sdJwt }),
    }
    const failed = checks.filter(isBreach).map(({ name }) => name)
    const why = failed.length === 0 ? '' : `: ${foreign(failed.join(', '), signs)}`
    print(
      ...jwtLines(shown, { now, signs, width, columns: terminalColumns() }),
      '',
      `${ok ? signs.done : signs.refused} ${verdict}${why}`,
    )
  }
  return ok ? EXIT.done : EXIT.refused
}
