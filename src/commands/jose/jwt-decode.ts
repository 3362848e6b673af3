import { isEncrypted, nestedToken } from '../../protocol/tokens/decode.js'
import { explainEncrypted, explainToken, lintNow } from '../../protocol/tokens/explain.js'
import { print, printData, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { decodeGiven, decodeGivenSdJwt, givenToken, type JwtFlags, jweHeader } from './jwt-input.js'

/** Measures text; without loading anything where every character is one of ASCII. */
async function measure(claims: object): Promise<{ width?: (text: string) => number }> {
  if (/^[\x20-\x7e]*$/.test(JSON.stringify(claims))) return {}
  const { width } = await import('../../show/render/text/text.js')
  return { width }
}

/**
 * `oauth-lab jwt decode`: shows a token without trust. Remarks are no refusals; only another audience than the one
 * that was asked for is.
 */
export async function decodeToken(
  argument: string | undefined,
  { audience }: JwtFlags,
  globals: Pick<Globals, 'json' | 'ascii'>,
): Promise<number> {
  const given = await givenToken(argument, { again: true })
  const text = innermost(given)
  if (isEncrypted(text)) return decodeEncrypted(text, globals)
  const sdJwt = text.includes('~') ? await decodeGivenSdJwt(text) : undefined
  // The claims of an SD-JWT are shown with what it discloses.
  const token = sdJwt === undefined ? decodeGiven(text) : { ...sdJwt.jwt, claims: sdJwt.claims }
  const explained = explainToken(token)
  const now = Date.now()
  const about = { now, unit: explained.unit, ...(audience !== undefined && { audience }) }
  const lint = [...explained.lint, ...lintNow(token.claims, about)]
  const refused = lint.some(({ name }) => name === 'wrong_aud')
  if (globals.json) {
    const { jwtJson } = await import('../../show/render/tokens/jwt-lines.js')
    const verdict = refused ? 'refused' : 'not_verified'
    printData(jwtJson({ verdict, token, explained, lint, ...(sdJwt !== undefined && { sdJwt }) }))
  } else {
    const [{ jwtLines }, { signsFor }] = await Promise.all([
      import('../../show/render/tokens/jwt-lines.js'),
      import('../../show/render/text/signs.js'),
    ])
    const signs = signsFor(globals)
    const notes = [
      ...(text === given ? [] : ['It was the payload of another signed token (RFC 7519 §5.2).']),
      'The signature was not verified: anybody can write this. See oauth-lab jwt verify.',
    ]
    print(
      ...jwtLines(
        { explained, lint, notes, ...(sdJwt !== undefined && { disclosed: sdJwt, checks: sdJwt.checks }) },
        { now, signs, columns: terminalColumns(), ...(await measure([token.header, token.claims])) },
      ),
    )
  }
  return refused ? EXIT.refused : EXIT.done
}

/** Returns the token in a token that was signed again, down to the one with the claims. */
function innermost(token: string): string {
  const inside = nestedToken(token)
  return inside === undefined ? token : innermost(inside)
}

/** Shows the header of an encrypted token, the only part that can be read without the key. */
async function decodeEncrypted(text: string, globals: Pick<Globals, 'json' | 'ascii'>): Promise<number> {
  const header = jweHeader(text)
  if (globals.json) {
    const { jweJson } = await import('../../show/render/tokens/jwt-lines.js')
    printData(jweJson(header))
    return EXIT.done
  }
  const [{ jweLines }, { signsFor }] = await Promise.all([
    import('../../show/render/tokens/jwt-lines.js'),
    import('../../show/render/text/signs.js'),
  ])
  const notes = [
    'This token is encrypted (RFC 7516 §3.1). Only the holder of the key can read its claims; nothing was verified.',
    'With the key:  oauth-lab jwt decrypt TOKEN --key FILE | oauth-lab jwt decode',
  ]
  const room = { now: Date.now(), signs: signsFor(globals), columns: terminalColumns() }
  print(...jweLines(explainEncrypted(header), notes, { ...room, ...(await measure(header)) }))
  return EXIT.done
}
