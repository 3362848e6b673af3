import type { LoginWish } from '../../flows/requests/login-demand.js'
import { UsageError } from '../../protocol/errors.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import { readInputFile } from '../input/input.js'
import { refuse } from './option.js'
import type { RequestParameters } from './parameters.js'
import type { FlowRunOptions } from './table.js'

/** The options of a run about the login, as they were typed. */
export type LoginOptions = Pick<FlowRunOptions, 'acrValues' | 'maxAge' | 'claims'>

const EXAMPLE = `--claims '{"id_token":{"acr":{"essential":true,"values":["urn:oauth-lab:acr:mfa"]}}}'`

/** The places of claims (OpenID Connect Core §5.5). */
const PLACES = ['id_token', 'userinfo']

async function readClaims(given: string | undefined): Promise<JsonObject | undefined> {
  if (given === undefined) return undefined
  const refused = (problem: string) =>
    new UsageError(`--claims: ${problem} (OpenID Connect Core §5.5)`, [`It looks like:  ${EXAMPLE}`])
  const isJson = given.trimStart().startsWith('{')
  const text = isJson ? given : await readInputFile('the claims', given.replace(/^@/, ''))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused(isJson ? 'that is no JSON' : `${given} holds no JSON`)
  }
  if (!isJsonObject(value)) throw refused('that is no JSON object')
  for (const place of PLACES) {
    if (value[place] !== undefined && !isJsonObject(value[place])) throw refused(`${place} is no JSON object`)
  }
  const known = PLACES.some(place => value[place] !== undefined)
  if (!known) throw refused('it asks for nothing: it has neither id_token nor userinfo')
  return value
}

/**
 * Reads the options about the login.
 * @param parameters parameters of `--param`, which must not name the same
 * @throws UsageError
 */
export async function loginWish(
  { acrValues, maxAge, claims }: LoginOptions,
  { authorization }: RequestParameters,
): Promise<LoginWish> {
  const given = { acr_values: acrValues, max_age: maxAge, claims }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !authorization.some(([each]) => each === name)) continue
    throw new UsageError(`--param ${name} and --${name.replace('_', '-')} say the same`, ['Leave one out'])
  }
  refuse([
    [
      maxAge !== undefined && !/^\d{1,9}$/.test(maxAge),
      `--max-age ${maxAge} is no number of seconds`,
      'It looks like:  --max-age 300',
    ],
    [
      acrValues?.trim() === '',
      '--acr-values names no class',
      'It looks like:  --acr-values urn:oauth-lab:acr:mfa',
    ],
  ])
  return defined({
    acrValues: acrValues
      ?.trim()
      .split(/[\s,]+/)
      .join(' '),
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    claims: await readClaims(claims),
  })
}
