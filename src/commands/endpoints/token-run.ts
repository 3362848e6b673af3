import { UsageError } from '../../protocol/errors.js'
import { maskValue } from '../../protocol/safe-output/mask.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { explainToken } from '../../protocol/tokens/explain.js'
import { writeExact } from '../../session/output/writer.js'
import { forgetToken, type KeptToken, keptTokens } from '../../session/tokens/kept-tokens.js'
import { durationText } from '../../show/render/text/numbers.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { jwtLines } from '../../show/render/tokens/jwt-lines.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

const GET_ONE = 'One is kept after:  oauth-lab call URL'
const NONE = [
  `No token is kept. ${GET_ONE}`,
  'The tokens of a lab that starts for one command end with it, and are not kept. One that stays:  oauth-lab serve',
]

/** The facts of a token, without any secret. */
function factsOf(token: KeptToken) {
  const { id, issuer, clientId, grant, user, scope, granted, resource, parameters } = token
  const { binding, obtainedAt, expiresAt } = token
  const iso = (time: number) => new Date(time).toISOString()
  return {
    id,
    issuer,
    client_id: clientId,
    grant,
    ...(user !== '' && { user }),
    ...((granted ?? scope) !== '' && { scope: granted ?? scope }),
    ...(resource !== '' && { resource }),
    ...(parameters !== '' && { parameters: parameters.split(' ') }),
    token_type: token.tokenType,
    ...(binding !== '' && { bound_by: binding === 'dpop' ? 'dpop' : 'certificate' }),
    obtained_at: iso(obtainedAt),
    ...(expiresAt !== undefined && { expires_at: iso(expiresAt) }),
    refresh_token: token.refreshToken !== undefined,
    id_token: token.idToken !== undefined,
  }
}

function lifeOf({ expiresAt, refreshToken }: KeptToken, now: number): string {
  const more = refreshToken === undefined ? '' : ', then it is refreshed'
  if (expiresAt === undefined) return 'the server did not say when it ends'
  return expiresAt > now
    ? `${durationText(expiresAt - now)} left${more}`
    : `expired${more === '' ? '' : '; it is refreshed when it is used'}`
}

function factLines(token: KeptToken, { ascii }: Pick<Globals, 'ascii'>): string[] {
  const { issuer, clientId, user, scope, granted, resource, parameters, binding, grant } = token
  const rows: (readonly [string, string])[] = [
    ['server', issuer],
    ['client', `${clientId}${user === '' ? '' : ` for ${user}`}, by flow ${grant}`],
    ['scope', granted ?? scope],
    ['resource', resource],
    ['with', parameters],
    ['bound', binding === '' ? '' : binding === 'dpop' ? 'by DPoP' : 'by a certificate'],
    ['life', lifeOf(token, Date.now())],
  ]
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `  ${name.padEnd(10)}${foreign(value, signsFor({ ascii }))}`)
}

/** `oauth-lab token list`: the kept tokens, without a single one of them. */
export async function listTokens(_flags: object, globals: Globals): Promise<number> {
  const tokens = await keptTokens(globals.home)
  if (globals.json) printJson({ tokens: tokens.map(factsOf) })
  else if (tokens.length === 0) for (const line of NONE) narrate(line)
  else
    print(...tokens.flatMap((token, i) => [...(i === 0 ? [] : ['']), token.id, ...factLines(token, globals)]))
  return EXIT.done
}

/** Finds a token by the beginning of its id; without one, the only token that is kept. @throws UsageError */
async function tokenNamed(home: string, id: string | undefined): Promise<KeptToken> {
  const tokens = await keptTokens(home)
  if (tokens.length === 0) throw new UsageError('no token is kept', [GET_ONE])
  const found = tokens.filter(each => id === undefined || (id !== '' && each.id.startsWith(id)))
  const [only] = found
  if (found.length === 1 && only) return only
  const known = tokens
    .slice(0, 10)
    .map(each => foreign(`${each.id}  ${each.clientId} at ${each.issuer}`, signsFor({ ascii: false })))
  const problem =
    id === undefined
      ? `${tokens.length} tokens are kept: name one`
      : `${found.length === 0 ? 'no' : 'more than one'} kept token has the id ${JSON.stringify(id)}`
  throw new UsageError(problem, known)
}

/** `oauth-lab token show`: one kept token: its facts and its claims; the token itself only where it is asked for. */
export async function showToken(
  id: string | undefined,
  { output }: { readonly output?: 'token' },
  globals: Globals,
): Promise<number> {
  const token = await tokenNamed(globals.home, id)
  const { accessToken, refreshToken, idToken } = token
  if (output === 'token') {
    if (globals.json)
      throw new UsageError('-o token prints the bare token, and --json another form', ['Leave one out'])
    await writeExact(`${accessToken}\n`)
    return EXIT.done
  }
  const hide = (value: string) => (globals.showSecrets ? value : maskValue(value))
  const decoded = decodeIfJwt(accessToken)
  if (globals.json) {
    const tokens = {
      access_token: hide(accessToken),
      ...(refreshToken !== undefined && { refresh_token: hide(refreshToken) }),
      ...(idToken !== undefined && { id_token: hide(idToken) }),
    }
    printJson({
      ...factsOf(token),
      tokens,
      ...(decoded && { header: decoded.header, claims: decoded.claims }),
    })
    return EXIT.done
  }
  const signs = signsFor(globals)
  const shown = [
    `  ${'access'.padEnd(10)}${foreign(hide(accessToken), signs)}`,
    ...(refreshToken === undefined ? [] : [`  ${'refresh'.padEnd(10)}${foreign(hide(refreshToken), signs)}`]),
  ]
  print(token.id, ...factLines(token, globals), ...shown)
  if (decoded) {
    const explained = explainToken(decoded)
    const text = { now: Date.now(), signs, width, columns: terminalColumns() }
    print('', ...jwtLines({ explained, lint: explained.lint }, text))
  }
  if (!globals.showSecrets) narrate('The bare token:  oauth-lab token show -o token')
  return EXIT.done
}

/** Flags of `token forget`. */
interface ForgetFlags {
  readonly all?: true
}

/** `oauth-lab token forget`: removes kept tokens from this computer. They stay good at their servers. */
export async function forgetTokens(
  ids: readonly string[],
  { all }: ForgetFlags,
  globals: Globals,
): Promise<number> {
  if (all && ids.length > 0) throw new UsageError('--all and ids name two sets of tokens', ['Leave one out'])
  if (!all && ids.length === 0) {
    throw new UsageError('no token was named', [
      'oauth-lab token forget ID',
      'All of them:  oauth-lab token forget --all',
    ])
  }
  const tokens = all
    ? await keptTokens(globals.home)
    : await Promise.all([...new Set(ids)].map(id => tokenNamed(globals.home, id)))
  const forgotten: string[] = []
  for (const { id } of tokens) if (await forgetToken(globals.home, id)) forgotten.push(id)
  if (globals.json) printJson({ forgotten })
  else {
    print(forgotten.length === 0 ? 'No token was kept.' : `Forgot ${forgotten.join(', ')}.`)
    if (forgotten.length > 0)
      narrate('They stay good at their servers until they end:  oauth-lab revoke TOKEN')
  }
  return EXIT.done
}
